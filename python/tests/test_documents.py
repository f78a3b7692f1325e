"""The sessions of Python that the documents quote are what Python prints."""

import doctest
import os
import pathlib
import re
import unittest

from common import ROOT

import yose

DOCUMENTS = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md"]


class Documents(unittest.TestCase):
    def test_sessions(self) -> None:
        self.addCleanup(os.chdir, pathlib.Path.cwd())
        os.chdir(ROOT)
        for path in DOCUMENTS:
            blocks = re.findall(r"```pycon\n(.*?)```", path.read_text(), re.DOTALL)
            text = "\n".join(blocks)
            self.check(text, path.name)

    def test_the_docstring_of_the_package(self) -> None:
        self.check(yose.__doc__ or "", "yose")

    def check(self, text: str, name: str) -> None:
        test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        self.assertTrue(test.examples)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        failures: list[str] = []
        runner.run(test, out=failures.append)
        self.assertEqual(runner.failures, 0, "".join(failures))


if __name__ == "__main__":
    unittest.main()

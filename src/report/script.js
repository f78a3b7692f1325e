// Sorting, filtering and stepping. The page is readable without it.
'use strict';
(() => {
  const svgElement = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  const centre = (square) => [12 + 20 * (square % 8) + 10, 12 + 20 * (square >> 3) + 10];

  // Draws a position, 64 symbols and the side to move, on a board that is there.
  const draw = (board, position, last, scores, played) => {
    board.querySelectorAll('circle,.score').forEach((element) => element.remove());
    for (let square = 0; square < 64; square++) {
      const symbol = position[square];
      if (symbol === '-') continue;
      const [cx, cy] = centre(square);
      board.append(svgElement('circle', { cx, cy, r: 8, class: symbol.toLowerCase() }));
    }
    const best = Math.max(...scores.map((one) => one[1]));
    for (const [square, score] of scores) {
      const [x, y] = centre(square);
      const kind = score === best ? 'score best' : 'score';
      const text = svgElement('text', { x, y: y + 2, class: kind });
      text.textContent = (score < 0 ? '' : '+') + score;
      board.append(text);
    }
    if (played >= 0) {
      const [cx, cy] = centre(played);
      board.append(svgElement('circle', { cx, cy, r: 9, class: 'played' }));
    }
    if (last >= 0) {
      const [cx, cy] = centre(last);
      board.append(svgElement('circle', { cx, cy, r: 2.5, class: 'last' }));
    }
  };

  // A stepper has its steps as JSON: [position, last move, caption, scores, move played].
  for (const stepper of document.querySelectorAll('.stepper')) {
    const steps = JSON.parse(stepper.querySelector('script').textContent);
    const board = stepper.querySelector('.board');
    const caption = stepper.querySelector('.caption');
    const article = stepper.closest('article');
    const cursor = article.querySelector('.cursor');
    const rows = article.querySelectorAll('tr[data-step]');
    let at = Number(stepper.dataset.at || 0);
    const show = (step) => {
      at = Math.max(0, Math.min(steps.length - 1, step));
      const [position, last, text, scores, played] = steps[at];
      draw(board, position, last, scores || [], played === undefined ? -1 : played);
      caption.textContent = text;
      board.setAttribute('aria-label', text);
      if (cursor) {
        const places = JSON.parse(cursor.dataset.places);
        cursor.style.left = places[at] + '%';
        cursor.hidden = false;
      }
      rows.forEach((row) => row.classList.toggle('now', Number(row.dataset.step) === at));
    };
    const actions = {
      first: () => show(0),
      back: () => show(at - 1),
      next: () => show(at + 1),
      last: () => show(steps.length - 1),
    };
    stepper.querySelectorAll('button').forEach((button) => {
      button.addEventListener('click', actions[button.dataset.action]);
    });
    stepper.addEventListener('keydown', (event) => {
      const keys = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last' };
      const action = keys[event.key];
      if (action) {
        actions[action]();
        event.preventDefault();
      }
    });
    rows.forEach((row) => row.addEventListener('click', () => show(Number(row.dataset.step))));
    stepper.querySelector('.controls').hidden = false;
    show(at);
  }

  // A cell as what it is sorted by: a number if it is one.
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value || cell.textContent.trim();
    const number = Number(text.replace(/[,+≥≤ ]/g, ''));
    return text === '' ? -Infinity : Number.isNaN(number) ? text : number;
  };
  for (const table of document.querySelectorAll('table.sortable')) {
    const body = table.tBodies[0];
    table.querySelectorAll('thead th').forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        table.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const keyed = [...body.rows].map((row) => [value(row, column), row]);
        keyed.sort(([one], [other]) => {
          const order =
            typeof one === typeof other
              ? typeof one === 'number' ? one - other : one.localeCompare(other)
              : typeof one === 'number' ? -1 : 1;
          return down ? -order : order;
        });
        body.append(...keyed.map(([, row]) => row));
      });
    });
    const search = table.closest('section').querySelector('.filter[data-table="' + table.id + '"]');
    if (!search) continue;
    const input = search.querySelector('input');
    const count = search.querySelector('output');
    search.hidden = false;
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter((word) => word);
      let shown = 0;
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = shown + ' of ' + body.rows.length + ' rows';
    });
  }

  // The board of the row that is pointed at or chosen.
  for (const table of document.querySelectorAll('table[data-board]')) {
    const panel = document.getElementById(table.dataset.board);
    const board = panel.querySelector('.board');
    const show = (event) => {
      const row = event.target.closest('tr[data-p]');
      if (!row) return;
      draw(board, row.dataset.p, -1, [], -1);
      panel.hidden = false;
      panel.querySelector('.caption').textContent =
        row.cells[0].textContent + ', ' + row.dataset.p.slice(-1) + ' to move';
    };
    table.addEventListener('mouseover', show);
    table.addEventListener('focusin', show);
    table.addEventListener('click', show);
  }
})();

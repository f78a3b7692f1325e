// Sorting, filtering and stepping. The page is readable without it.
'use strict';
(() => {
  const svgElement = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  const centre = (square) => [12 + 20 * (square % 8) + 10, 12 + 20 * (square >> 3) + 10];
  const squareName = (square) => 'abcdefgh'[square % 8] + ((square >> 3) + 1);

  // The squares of a colour, for readers that see no picture.
  const squaresOf = (position, symbol) => {
    const names = [];
    for (let square = 0; square < 64; square++) {
      if (position[square] === symbol) names.push(squareName(square));
    }
    return symbol + ': ' + (names.join(' ') || 'none') + '.';
  };

  // Draws a position, 64 symbols and the side to move, on a board that is there.
  const draw = (board, position, last, scores, played, text) => {
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
      const text = svgElement('text', { x, y: y + 2.5, class: kind });
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
    const discs = squaresOf(position, 'X') + ' ' + squaresOf(position, 'O');
    board.setAttribute('aria-label', text + '. ' + discs);
  };

  // A stepper has its steps as JSON: [position, last move, caption, scores, move played].
  const steppers = new Map();
  for (const stepper of document.querySelectorAll('.stepper')) {
    const steps = JSON.parse(stepper.querySelector('script').textContent);
    const board = stepper.querySelector('.board');
    const caption = stepper.querySelector('.caption');
    const article = stepper.closest('article');
    const cursor = article.querySelector('.cursor');
    const places = cursor ? JSON.parse(cursor.dataset.places) : [];
    const rows = article.querySelectorAll('tr[data-step]');
    const buttons = stepper.querySelectorAll('button');
    let at = Number(stepper.dataset.at || 0);
    const show = (step) => {
      at = Math.max(0, Math.min(steps.length - 1, step));
      const [position, last, text, scores, played] = steps[at];
      draw(board, position, last, scores || [], played === undefined ? -1 : played, text);
      caption.textContent = text;
      if (cursor) {
        cursor.style.left = places[at] + '%';
        cursor.hidden = false;
      }
      rows.forEach((row) => row.classList.toggle('now', Number(row.dataset.step) === at));
      // A disabled button would lose the focus of the keyboard.
      buttons.forEach((button) => {
        const back = button.dataset.action === 'first' || button.dataset.action === 'back';
        button.setAttribute('aria-disabled', at === (back ? 0 : steps.length - 1));
      });
    };
    const actions = {
      first: () => show(0),
      back: () => show(at - 1),
      next: () => show(at + 1),
      last: () => show(steps.length - 1),
    };
    buttons.forEach((button) => {
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
    // A click on the graph shows the nearest position.
    if (cursor) {
      const drawing = cursor.parentElement;
      drawing.addEventListener('click', (event) => {
        const frame = drawing.getBoundingClientRect();
        const place = (100 * (event.clientX - frame.left)) / frame.width;
        const distances = places.map((one) => Math.abs(one - place));
        show(distances.indexOf(Math.min(...distances)));
      });
    }
    stepper.querySelector('.controls').hidden = false;
    steppers.set(article.id, { show, stepper });
    show(at);
  }

  // A link to a position of a game.
  for (const link of document.querySelectorAll('a[data-step]')) {
    const game = steppers.get(link.hash.slice(1));
    if (!game) continue;
    link.addEventListener('click', () => {
      game.show(Number(link.dataset.step));
      game.stepper.focus({ preventScroll: true });
    });
  }

  // A cell as what it is sorted by: a number if it is one.
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text.replace(/[,+≥≤ ]/g, ''));
    return text === '' ? -Infinity : Number.isNaN(number) ? text : number;
  };
  const compare = (one, other) => {
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
    if (typeof one === 'number') return one - other;
    return one.localeCompare(other, undefined, { numeric: true });
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
        keyed.sort(([one], [other]) => (down ? compare(other, one) : compare(one, other)));
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

  // The board of a row: of the one that is pointed at, or chosen by a click or the arrow keys.
  for (const table of document.querySelectorAll('table[data-board]')) {
    const panel = document.getElementById(table.dataset.board);
    const board = panel.querySelector('.board');
    const caption = panel.querySelector('.caption');
    const region = table.closest('.scroll');
    let chosen = table.tBodies[0].rows[0];
    const show = (row) => {
      const name = row.cells[0].textContent;
      const text = name + ', ' + row.dataset.p.slice(-1) + ' to move';
      draw(board, row.dataset.p, -1, [], -1, text);
      caption.textContent = text;
    };
    const choose = (row) => {
      chosen.classList.remove('now');
      chosen = row;
      chosen.classList.add('now');
      show(chosen);
    };
    const rowOf = (event) => event.target.closest('tr[data-p]');
    // The row that a key leads to, of those that are shown.
    const target = (key) => {
      const rows = [...table.tBodies[0].rows];
      const at = rows.indexOf(chosen);
      const shown = (row) => !row.hidden;
      const targets = {
        Home: () => rows.find(shown),
        End: () => rows.findLast(shown),
        ArrowUp: () => rows.slice(0, at).findLast(shown),
        ArrowDown: () => rows.slice(at + 1).find(shown),
      };
      return targets[key];
    };
    table.addEventListener('mouseover', (event) => rowOf(event) && show(rowOf(event)));
    table.addEventListener('mouseleave', () => show(chosen));
    table.addEventListener('click', (event) => rowOf(event) && choose(rowOf(event)));
    region.addEventListener('keydown', (event) => {
      const find = event.target === region && target(event.key);
      if (!find) return;
      event.preventDefault();
      const row = find();
      if (!row) return;
      choose(row);
      row.scrollIntoView({ block: 'nearest' });
    });
    if (!chosen) continue;
    panel.parentElement.classList.add('live');
    panel.hidden = false;
    choose(chosen);
  }
})();

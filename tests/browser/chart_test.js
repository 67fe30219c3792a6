// SPDX-License-Identifier: BSL-1.0
// Appended to a page of `tutti cost` or `simulate --format html` by tests/browser/run, behind `expected`: the spec for Vega-Lite of the same
// times, with all of them in it. Points at the picture and steps by keys as its reader would; the last lines of the document say what came.
'use strict';
(() => {
  const lines = [];
  const check = (what, ok, seen = '') => lines.push(`${ok ? 'ok' : 'FAILED'}: ${what}` + (ok || seen === '' ? '' : ` (${seen})`));
  const errors = [];
  addEventListener('error', (event) => errors.push(event.message));
  const figures = [...document.querySelectorAll('figure')];
  const said = (figure) => figure.querySelector('figcaption').textContent;
  const press = (figure, key) => figure.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const point = (figure, element, dx = 0, dy = 0) => {
    const box = element.getBoundingClientRect();
    figure.querySelector('svg').dispatchEvent(new PointerEvent('pointermove',
      { clientX: box.left + box.width / 2 + dx, clientY: box.top + box.height / 2 + dy, bubbles: true }));
  };
  const in_bytes = (words) => parseFloat(words) * ({ Ki: 1024, Mi: 1048576 }[words.split(' ')[1]] || 1);
  const in_us = (words) => parseFloat(words) * ({ ms: 1e3, s: 1e6 }[words.split(' ')[1]] || 1);
  const prices = expected.data.values;
  const time = Object.keys(prices[0]).find((key) => key.endsWith('_us'));
  const near = (a, b, by = 0.002) => Math.abs(a - b) <= by * b; // four digits are shown, of ratios two behind the point

  const charts = () => {
    for (const figure of figures) {
      const [collective] = figure.getAttribute('aria-label').split(',');
      const rows_of = (bytes) => prices.filter((p) => p.collective === collective && p.bytes === bytes);
      const lengths = [...new Set(prices.map((r) => r.bytes))];
      const shown = () => [...figure.querySelectorAll('figcaption tr')].map((row) => Array.from(row.children, (cell) => cell.textContent));
      const right = (bytes) => {
        const table = shown();
        const known = rows_of(bytes);
        const least = Math.min(...known.map((p) => p[time]));
        return in_bytes(figure.querySelector('caption').textContent) === bytes && table.length === known.length &&
          known.every((p) => table.some(([name, us, times]) => name === p.algorithm && near(in_us(us), p[time]) && near(Number(times.slice(2)), p[time] / least, 0.008))) &&
          table.every(([, us], k) => k === 0 || in_us(table[k - 1][1]) <= in_us(us)) && table[0][2] === 'x 1.00';
      };
      check(`nothing is said of ${collective} at first`, shown().length === 0);
      press(figure, 'ArrowRight');
      check('the first key shows the first length', right(lengths[0]), said(figure));
      for (const bytes of lengths.slice(1)) {
        press(figure, 'ArrowRight');
        check(`the right arrow shows ${bytes} bytes`, right(bytes), said(figure));
      }
      press(figure, 'ArrowRight');
      check('there is nothing beyond', right(lengths[lengths.length - 1]), said(figure));
      press(figure, 'ArrowLeft');
      check('the left arrow goes back', right(lengths[lengths.length - 2]), said(figure));
      const circles = figure.querySelectorAll('.line circle');
      point(figure, circles[0], 3, 40);
      check('pointing near a length shows it', right(lengths[0]), said(figure));
      const places = figure.querySelectorAll('svg .place');
      check('and one line marks where', places.length === 1 && places[0].getAttribute('x1') === circles[0].getAttribute('cx'), places.length);
      const row = figure.querySelector('figcaption tr');
      row.dispatchEvent(new PointerEvent('pointerenter'));
      const marked = [...figure.querySelectorAll('.line.marked > title')].map((title) => title.textContent);
      check('a row marks its line', marked.join() === row.firstChild.textContent, marked.join());
      row.dispatchEvent(new PointerEvent('pointerleave'));
      check('as long as it is pointed at', figure.querySelector('.line.marked') === null);
    }
  };

  const maps = () => {
    for (const figure of figures) {
      const cells = [...figure.querySelectorAll('.cell')];
      check('every price has a cell', cells.length === prices.length, cells.length);
      const tells = (r) => said(figure).startsWith(r.algorithm) && said(figure).includes(`, ${r.size} ranks, `) &&
        near(Number(said(figure).split(': ')[1].split(' ')[0]), r[time]) && in_bytes(said(figure).split(' ranks, ')[1].split(':')[0]) === r.bytes;
      const told = new Set();
      for (const cell of cells) {
        point(figure, cell);
        const row = prices.findIndex(tells);
        if (row >= 0) told.add(row);
      }
      check('pointing at a cell says what is known of it', told.size === prices.length, told.size);
      const sizes = [...new Set(prices.map((r) => r.size))];
      const lengths = [...new Set(prices.map((r) => r.bytes))];
      const at = (size, bytes) => prices.find((r) => r.size === size && r.bytes === bytes);
      for (let k = 0; k < 20; ++k) for (const key of ['ArrowLeft', 'ArrowDown']) press(figure, key);
      check('by keys to the shortest vectors of the fewest ranks', tells(at(sizes[0], lengths[0])), said(figure));
      press(figure, 'ArrowRight');
      check('one number of ranks on', tells(at(sizes[1], lengths[0])), said(figure));
      press(figure, 'ArrowUp');
      check('one length on', tells(at(sizes[1], lengths[1])), said(figure));
      check('one cell is marked', figure.querySelectorAll('svg .place').length === 1);
    }
  };

  try {
    check('the page is ready', document.body.dataset.ready === 'yes');
    check('there are pictures', figures.length > 0 && figures.every((figure) => figure.querySelector('svg').getBoundingClientRect().width > 300));
    check('which fit the window', document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);
    const letters = [...document.querySelectorAll('svg text')].map((text) => Number(text.getAttribute('font-size')) * text.getScreenCTM().a);
    check('letters have ten pixels', letters.length > 0 && Math.min(...letters) >= 9.99, Math.min(...letters));
    (figures[0].className === 'of-map' ? maps : charts)();
    check('nothing was loaded', performance.getEntriesByType('resource').length === 0);
  } catch (error) {
    check('the test comes to its end', false, error.stack);
  }
  check('no error was thrown', errors.length === 0, errors.join('; '));
  lines.push(`${lines.length} checks`);
  document.body.append(Object.assign(document.createElement('pre'), { id: 'report', textContent: lines.join('\n') }));
})();

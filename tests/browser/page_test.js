// SPDX-License-Identifier: BSL-1.0
// Appended to a page of `tutti show --format html` by tests/browser/run: uses the page as its reader would, by real
// events, and writes what it found into the document, one line per check ("ok: ..." or "FAILED: ..."). In a frame it
// sends the lines to the page around it.
'use strict';
(async () => {
  const lines = [];
  const check = (what, ok, seen = '') => lines.push(`${ok ? 'ok' : 'FAILED'}: ${what}` + (ok || seen === '' ? '' : ` (${seen})`));
  const by_id = (id) => document.getElementById(id);
  const round_shown = () => Number(document.body.dataset.round);
  const { data, block_name } = views[0];
  const last = positions - 1;
  const press = (key, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const drawn = () => views.map((view) => view.stage.innerHTML).join();
  const word_of = (side, rank, view = views[0]) => view.stage.querySelector(`[data-key="${side} ${rank}"]`).dataset.words;
  const words_after = (view) => Array.from({ length: data.size }, (_, r) => word_of('after', r, view));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const errors = [];
  addEventListener('error', (event) => errors.push(event.message));
  const refused = [];
  document.addEventListener('securitypolicyviolation', (event) => refused.push(event.blockedURI));

  const every_page = () => {
    check('the page is ready', document.body.dataset.ready === 'yes');
    press('Home');
    check('home shows the first round', round_shown() === 0, round_shown());
    for (let i = 1; i <= last; ++i) {
      const before = drawn();
      press('ArrowRight');
      if (round_shown() !== i || drawn() === before) { check(`the right arrow shows round ${i}`, false, round_shown()); break; }
    }
    check('stepping by the right arrow reaches the last round', round_shown() === last, round_shown());
    press('ArrowRight');
    check('there is nothing beyond it', round_shown() === last, round_shown());
    for (const view of views) {
      const { data, part } = view;
      const rounds = data.rounds.length;
      const expected = expectation_of(view)[data.kind];
      const wrong = words_after(view).filter((words, rank) => (expected.on === undefined || expected.on(rank)) && words !== expected.words(rank));
      const said = by_id('words' + part).textContent;
      check('the words are those of the last round', rounds === 0 || said.endsWith(rounds > last ? ': ' + data.words[last] : `done after ${rounds} rounds`), said);
      const brackets = by_id('overview' + part).querySelectorAll('.phase').length;
      check('every phase has a bracket over the strip', brackets === (rounds > 1 ? data.phases.length : 0), brackets);
      check('the last round shows the result', wrong.length === 0, wrong.join('; '));
    }
    const ids = Array.from(document.querySelectorAll('[id]'), (element) => element.id);
    check('no two elements have one name', new Set(ids).size === ids.length, ids.filter((id, k) => ids.indexOf(id) !== k).join());
    for (const element of document.querySelectorAll('button, input, [role="button"], [role="img"]'))
      if (!element.getAttribute('aria-label') && !element.textContent) check('everything has a name', false, element.outerHTML);
  };

  // What ranks must hold in the end, by collective and number of ranks alone.
  const expectation_of = ({ data, block_name }) => {
    const all_ranks = data.size === 1 ? '0' : `0–${data.size - 1}`;
    const all_blocks = data.blocks === 1 ? block_name(0) : `${block_name(0)}–${block_name(data.blocks - 1)}`;
    const folded = `${all_blocks} of ${all_ranks}`;
    return {
      allreduce: { words: () => folded },
      reduce: { on: (rank) => rank === data.root, words: () => folded },
      bcast: { words: () => all_blocks },
      allgather: { words: () => all_blocks },
      reduce_scatter: { words: (rank) => `${block_name(rank)} of ${all_ranks}`, on: () => data.size > 1 },
      gather: { on: (rank) => rank === data.root, words: () => all_blocks },
      scatter: { words: (rank) => block_name(rank) },
      exscan: { words: (rank) => (rank === 1 ? 'A of 0' : `A of 0–${rank - 1}`), on: (rank) => rank > 0 },
      scan: { words: (rank) => (rank === 0 ? 'A of 0' : `A of 0–${rank}`) },
      alltoall: { words: () => `${data.blocks}/${data.blocks} blocks` },
      barrier: { words: () => `news of ${all_ranks}` },
    };
  };

  /** As wide as a telephone or half a screen: what does not fit is scrolled to, not written smaller. */
  const narrow_window = () => {
    const small = [...document.querySelectorAll('svg text')].map((text) => [parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a, text.textContent])
      .filter(([size]) => size < 9.9);
    check('letters have ten pixels at least', small.length === 0, `${small.length}: ${small.slice(0, 5).join('; ')}`);
    for (const view of views) {
      const round = view.stage.getBoundingClientRect();
      const legend = view.stage.closest('section').querySelector('.legend').getBoundingClientRect();
      check('the round comes before its legend', round.height > 50 && round.bottom <= legend.top, `${round.bottom} ${legend.top}`);
      const detail = by_id('detail' + view.part).getBoundingClientRect();
      check('and so does what is said of it', detail.height > 20 && round.bottom <= detail.top && detail.bottom <= legend.top, `${detail.top} ${detail.bottom} ${legend.top}`);
    }
    check('only what is drawn is scrolled, not the page', document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);
  };

  /** What a printer gets, between the events that a browser sends. */
  const printing = () => {
    press('Home'); // where nothing moves
    const shown = drawn();
    dispatchEvent(new Event('beforeprint'));
    for (const view of views) {
      const rounds = [...by_id('every-round' + view.part).querySelectorAll('.one-round')];
      check('every round is laid out for paper', rounds.length === view.data.rounds.length, rounds.length);
      const messages = (i) => view.data.rounds[i].moves.filter(([from, to]) => from !== to).length;
      check('each with its messages, its words and all ranks', rounds.every((round, i) => round.querySelectorAll('svg .message').length === messages(i)
        && round.querySelector('p').textContent.endsWith(': ' + view.data.words[i]) && round.querySelectorAll('svg .rank').length === 2 * view.data.size));
      const worst = (i) => [...new Set(view.loads_in(i))].filter((load) => load > 0).every((load) => rounds[i].textContent.includes(`with load ${load}`));
      if (view.data.network) check('and the loads of its links', rounds.every((_, i) => worst(i)));
    }
    dispatchEvent(new Event('afterprint'));
    check('afterwards the page is as it was', drawn() === shown && document.querySelector('.one-round') === null);
  };

  /** Two schedules, of which one is done before the other. */
  const side_by_side = () => {
    const [one, other] = views;
    const lengths = views.map((view) => view.data.rounds.length);
    check('all rounds of both can be reached', positions === Math.max(...lengths), positions);
    press('Home');
    const stages = () => views.map((view) => view.stage.innerHTML);
    const first = stages();
    by_id('next').click();
    const second = stages();
    check('one button steps through both', first[0] !== second[0] && first[1] !== second[1]);
    check('and both say what they do', views.every(({ data, part }) => by_id('words' + part).textContent.endsWith(': ' + data.words[1])));
    const shorter = lengths[0] < lengths[1] ? one : other;
    for (let i = 1; i < shorter.data.rounds.length; ++i) press('ArrowRight');
    const ended = shorter.stage.innerHTML;
    check('who is done says so', by_id('words' + shorter.part).textContent === `done after ${shorter.data.rounds.length} rounds`);
    check('and has no messages any more', shorter.stage.querySelector('[data-message]') === null);
    press('ArrowRight');
    check('nor does anything change', shorter.stage.querySelectorAll('.rank').length === 2 * data.size && word_of('before', 1, shorter) === word_of('after', 1, shorter) && ended === shorter.stage.innerHTML);
    press('Home');
    const chosen = (view) => view.stage.querySelectorAll('.rank.chosen').length;
    other.stage.querySelector('[data-key="after 2"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a rank that is chosen is chosen on both sides', chosen(one) === 2 && chosen(other) === 2);
    check('and both list its steps', ['detail', 'detail-2'].every((id) => by_id(id).textContent.startsWith('Rank 2')));
    press('Escape');
    other.stage.querySelector('[data-message] .hit').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a message is chosen on its side only', by_id('detail-2').textContent.startsWith('Message') && !by_id('detail').textContent.startsWith('Message'));
    press('Escape');
    const place = other.stage.querySelector('[data-key="before 1"]');
    place.focus();
    press('Enter', place);
    check('the focus stays on its side', other.stage.contains(document.activeElement));
    press('Escape');
    const rows = Array.from(document.querySelectorAll('.figures tr'), (row) => Array.from(row.children, (cell) => cell.textContent));
    check('the figures have the rounds of both', rows[1].join() === ['rounds', ...lengths].join(), rows[1].join());
    const places = views.map((view) => view.stage.getBoundingClientRect());
    const rank = views.map((view) => view.stage.querySelector('[data-key="before 1"] .ground').getBoundingClientRect());
    check('the stages stand side by side', places[0].right <= places[1].left && places[0].top === places[1].top, places.map((p) => `${p.left} ${p.top}`).join('; '));
    check('and ranks are as high on both', Math.abs(rank[0].top - rank[1].top) < 0.5 && Math.abs(rank[0].height - rank[1].height) < 0.5, rank.map((r) => `${r.top} ${r.height}`).join('; '));
  };

  const stepping = () => {
    press('Home');
    const first = drawn();
    by_id('next').click();
    check('the button "next" shows round 1', round_shown() === 1, round_shown());
    check('and something else is drawn', drawn() !== first);
    by_id('back').click();
    check('the button "back" leads to the same drawing', round_shown() === 0 && drawn() === first);
    check('which cannot be left backwards', by_id('back').disabled && by_id('first').disabled && !by_id('next').disabled);
    by_id('last').click();
    check('the button "last" shows the last round', round_shown() === last && by_id('next').disabled);
    press('ArrowLeft');
    check('the left arrow goes back', round_shown() === last - 1, round_shown());
    by_id('slider').value = 4;
    by_id('slider').dispatchEvent(new Event('input', { bubbles: true }));
    check('the slider shows round 4', round_shown() === 4, round_shown());
    check('the address follows', location.hash === '#round=4', location.hash);
    check('what is said follows', by_id('where').textContent.startsWith('Round 4'), by_id('where').textContent);
    by_id('overview').querySelectorAll('.column')[2].dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a click on a column of the overview shows its round', round_shown() === 2, round_shown());
    press('End');
    check('end shows the last round', round_shown() === last, round_shown());
  };

  /** Rabenseifner and Adamidis 2004, Figure 2: 13 ranks, halving and doubling. */
  const figure_2 = () => {
    const rank_0 = ['A–D of 0–1', 'A–H of 0–1', 'A–D of 0–3', 'A–B of 0–7', 'A of 0–12', 'A–B of 0–12', 'A–D of 0–12', 'A–H of 0–12', 'A–H of 0–12'];
    press('Home');
    rank_0.forEach((words, i) => {
      check(`rank 0 has ${words} after round ${i}`, word_of('after', 0) === words, word_of('after', 0));
      press('ArrowRight');
    });
    press('Home');
    check('round 0 is said to fold the extra ranks in', by_id('words').textContent === 'fold the 5 extra ranks in: 10 ranks send 32K bytes each, xor:1, folded; 32K so far, lower bound 120992', by_id('words').textContent);
    check('rank 1 has E–H of 0–1 after round 0', word_of('after', 1) === 'E–H of 0–1', word_of('after', 1));
  };

  const choosing = () => {
    press('Home');
    const rank = () => by_id('stage').querySelector('[data-key="before 3"]');
    rank().dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a click on rank 3 shows its steps', by_id('detail').textContent.startsWith('Rank 3') && rank().classList.contains('chosen'));
    const rows = by_id('detail').querySelectorAll('tr').length;
    check('all of them', rows === 4, rows); // its half is sent, the other one comes; it hands over; the result comes
    press('ArrowRight');
    check('and stays chosen in the next round', rank().classList.contains('chosen'));
    press('Escape');
    check('escape leaves it', !rank().classList.contains('chosen'));
    press('Home');
    const message = () => by_id('stage').querySelector('[data-message]');
    message().querySelector('.hit').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a click on a message shows what it carries', /^Message of round 0.*carries .* of /.test(by_id('detail').textContent), by_id('detail').textContent);
    press('Escape');
    rank().focus();
    check('a rank can have the focus', document.activeElement === rank());
    const stops = () => [...by_id('stage').querySelectorAll('[tabindex="0"]')];
    check('the tab key stops once in the picture: there', stops().length === 1 && stops()[0] === rank(), stops().length);
    press('ArrowDown', rank());
    const after = document.activeElement;
    check('the down key leads to another place', after !== rank() && by_id('stage').contains(after) && stops().length === 1 && stops()[0] === after);
    press('ArrowRight', after);
    press('ArrowLeft', document.activeElement);
    check('the place stays the one to stop at', stops().length === 1 && stops()[0].dataset.key === after.dataset.key, stops().map((stop) => stop.dataset.key).join());
    rank().focus();
    press('ArrowDown', rank());
    press('ArrowUp', document.activeElement);
    check('and the up key leads back', document.activeElement === rank());
    const places = () => [...by_id('stage').querySelectorAll('[data-key]:not([data-key^="after"])')];
    places()[0].focus();
    press('ArrowUp', places()[0]);
    check('above the first there is nothing', document.activeElement === places()[0]);
    rank().focus();
    press('Enter', rank());
    check('enter chooses it', by_id('detail').textContent.startsWith('Rank 3'));
    check('and it keeps the focus', document.activeElement === rank());
    press('Escape');
  };

  const playing = async () => {
    press('Home');
    press(' ');
    await pause(1700);
    check('the space bar plays', round_shown() === 1, round_shown());
    press(' ');
    await pause(3500);
    check('and stops', round_shown() === 1, round_shown());
    press(' ');
    await pause(1600 * (last + 2));
    check('playing ends with the last round', round_shown() === last, round_shown());
    check('and the button says "play" again', by_id('play').getAttribute('aria-label') === 'play');
  };

  const moving = async () => {
    press('Home');
    press('ArrowRight');
    const parcels = document.querySelectorAll('.parcel').length;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    check(still ? 'nothing moves where motion is not welcome' : 'blocks move', still ? parcels === 0 : parcels > 0, parcels);
    await pause(2000);
    check('and are gone in the end', document.querySelectorAll('.parcel').length === 0);
  };

  const network = () => {
    if (!data.network) return;
    const colours = () => Array.from(document.querySelectorAll('#network [data-link]'), (l) => `${l.textContent} ${l.querySelector('.link').style.stroke}`).sort().join();
    press('Home');
    const first = colours();
    check('links have their loads', /load [1-9]/.test(first) && by_id('network').textContent.includes('round 0'));
    press('ArrowRight');
    press('ArrowRight');
    check('which change with the round', colours() !== first);
  };

  /** Personal blocks: of alltoall, gather and scatter. */
  const personal_blocks = () => {
    const { kind, size, colours } = data;
    const many = size > 32; // then blocks in order are one piece, which has the number of ranks
    const in_order = many ? [size] : Array.from({ length: size }, (_, r) => r);
    // The ranks whose blocks a buffer has, from left to right, and how they are painted.
    const blocks = (side, rank, buffer) => {
      const group = views[0].stage.querySelector(`[data-key="${side} ${rank}"]`);
      return Array.from(group.querySelectorAll('g')[buffer].querySelectorAll('.held'));
    };
    const whose = (...place) => blocks(...place).map((e) => Number(e.dataset.whose));
    const rank = Math.min(3, size - 1);
    const own = many && kind !== 'alltoall' ? [size] : [rank];
    const buffers = views[0].stage.querySelectorAll('[data-key="before 0"] .vector').length;
    check('every buffer is drawn', buffers === data.buffers.length && buffers >= (kind === 'alltoall' ? 2 : 1), buffers);
    const result = kind === 'alltoall' ? 1 : 0;
    press('Home');
    const first = kind === 'alltoall' ? whose('before', rank, 0) : whose('before', kind === 'gather' ? rank : data.root, 0);
    check('each begins with what is its own', first.join() === (kind === 'scatter' ? in_order : own).join(), first.join());
    const sample = blocks('before', kind === 'scatter' ? data.root : rank, 0)[0];
    const painted = document.createElement('i');
    painted.style.color = colours[sample.dataset.whose];
    check('in the colour of its rank', Number(sample.dataset.whose) === size || getComputedStyle(sample).fill === painted.style.color, getComputedStyle(sample).fill);
    press('End');
    const last = whose('after', kind === 'gather' ? data.root : rank, result);
    check('and ends with its own, or one of each', last.join() === (kind === 'scatter' ? own : in_order).join(), last.join());
    check('no two ranks have one colour', new Set(colours).size === size);
    check('the legend says what the colours are', /blocks, by the rank they (come from|are for): 0 to /.test(document.querySelector('.legend').textContent));
  };

  /** Messages that share a link: the first round with the most. */
  const meeting = () => {
    const view = views[0];
    const { loads_in, messages_over, way_of } = view;
    const most = data.rounds.map((_, i) => Math.max(...loads_in(i)));
    const busiest = most.indexOf(Math.max(...most));
    press('Home');
    for (let i = 0; i < busiest; ++i) press('ArrowRight');
    const loads = loads_in(busiest);
    const worst = loads.indexOf(most[busiest]);
    const expected = messages_over(worst, busiest);
    check('as many messages share the worst link as it is loaded with', expected.length === most[busiest], expected.length);
    const ways = () => Array.from(view.network.querySelectorAll('.ways .way'));
    const whole = (m) => way_of(m).map((l) => data.network.links[l]).join(' ');
    view.network.querySelector(`[data-link="${worst}"] .hit`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const said = by_id('detail').textContent;
    check('a click on a link names the messages that share it', said.includes(data.network.names[worst]) && expected.every((m) => said.includes(`rank ${m.from} → rank ${m.to}`)), said);
    check('and no others', by_id('detail').querySelectorAll('li').length === expected.length);
    check('their whole ways are drawn', ways().map((w) => w.getAttribute('d')).sort().join() === expected.map(whole).sort().join());
    const aside = view.stage.querySelectorAll('.message.aside').length;
    const shown = view.stage.querySelectorAll('.message').length;
    check('and they stand out in the round', shown - aside === expected.length, `${shown} - ${aside}`);
    press('Escape');
    check('escape takes the ways away', ways().length === 0);
    const button = view.network.querySelector('figcaption button');
    check('where messages meet a button leads to the worst link', (button !== null) === most[busiest] > 1);
    if (button) {
      button.click();
      check('which it does', by_id('detail').textContent === said, by_id('detail').textContent);
      press('Escape');
    }
    const m = expected[0];
    view.stage.querySelector(`[data-message="${m.number}"] .hit`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a click on a message draws its whole way', ways().length === 1 && ways()[0].getAttribute('d') === whole(m));
    const told = by_id('detail').textContent;
    const met = way_of(m).filter((l) => loads[l] === most[busiest]).map((l) => messages_over(l, busiest).filter((o) => o.number !== m.number));
    check('and names whom it meets', told.includes(`its way: ${way_of(m).length} links`)
      && met.some((others) => others.every((o) => told.includes(`rank ${o.from} → rank ${o.to}`))), told);
    press('Escape');
    view.network.querySelector('[data-rank="1"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('a click on a node chooses its rank', by_id('detail').textContent.startsWith('Rank 1') && view.stage.querySelectorAll('.rank.chosen').length === 2);
    press('Escape');
  };

  /** Of 256 ranks, each with one message: how dark arrows are that go to the next rank, and half the way round. */
  const shades = () => {
    const shade = () => Number(views[0].stage.style.getPropertyValue('--shade'));
    const strip = by_id('overview').querySelector('svg');
    const in_strip = [...strip.querySelectorAll('.messages')].map((round) => Array.from(round.children, (path) => Number(getComputedStyle(path).strokeOpacity)));
    check('in the strip lines that lie thick are pale', in_strip.flat().every((opacity) => opacity >= 0.05 && opacity < 0.4), in_strip.flat().join());
    check('the paler the longer they are', in_strip.length === 8 && in_strip.at(-1)[0] < 0.9 * in_strip[0][0], in_strip.map(([opacity]) => opacity).join());
    check('and neighbours add up', in_strip.every((round) => round.length >= 4), in_strip.map((round) => round.length).join());
    const figure = strip.parentElement.getBoundingClientRect();
    const drawn = [...strip.querySelectorAll('path, text')].map((element) => element.getBoundingClientRect());
    check('the strip fits its figure', figure.height < 300 && drawn.every((box) => box.top >= figure.top - 1 && box.bottom <= figure.bottom + 1), `${figure.top} ${figure.bottom}`);
    press('Home');
    check('arrows that are short are not pale', shade() === 1, shade());
    press('End');
    check('arrows that would cover the ground are pale', shade() > 0.2 && shade() < 0.6, shade());
    const rank = () => views[0].stage.querySelector('[data-key="before 3"]');
    rank().dispatchEvent(new MouseEvent('click', { bubbles: true }));
    check('those of a rank that is chosen are not', shade() === 1, shade());
    press('Escape');
  };

  /** In a window of this size, without scrolling. */
  const seen_together = () => {
    const places = [views[0].stage, views[0].network.querySelector('svg')].map((element) => element.getBoundingClientRect());
    check('round and network are seen together', places.every((p) => p.top >= 0 && p.left >= 0 && p.bottom <= innerHeight && p.right <= innerWidth && p.height > 200 && p.width > 300),
      places.map((p) => `${p.left} ${p.top} ${p.right} ${p.bottom}`).join('; ') + ` in ${innerWidth} ${innerHeight}`);
    const row = views[0].stage.querySelector('[data-key="before 1"] .ground').getBoundingClientRect().height;
    check('and ranks are told apart', row >= 12, row);
  };

  const simulation = () => {
    if (!by_id('timeline')) return;
    press('Home');
    const now = () => document.querySelectorAll('#timeline .activity.now').length;
    check('the bars of the round are marked', now() > 0 && now() < document.querySelectorAll('#timeline .activity').length, now());
    const timeline = by_id('timeline');
    const told = () => [...by_id('of-message').children].map((line) => line.textContent);
    const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const flight = timeline.querySelector('.flight');
    click(flight);
    const [, from, to] = /^rank (\d+): on the way to (\d+), /.exec(flight.querySelector('title').textContent);
    check('a click on a message tells when it was sent, under way and taken', told().length >= 3 && [`rank ${from}: send to ${to}`, `rank ${from}: on the way to ${to}`,
      `rank ${to}: receive from ${from}`].every((begin) => told().filter((line) => line.startsWith(begin + ', ')).length === 1), told().join('; '));
    check('and marks it', [...timeline.querySelectorAll('.picked')].every((part) => part.dataset.message === flight.dataset.message));
    const wait = timeline.querySelector('.wait:not([data-message="-1"])');
    click(wait);
    const [, waiting, awaited] = /^rank (\d+): waits from .* for rank (\d+), whose message is on its way /.exec(wait.querySelector('title').textContent);
    check('a click where a rank waits tells for whom, and of the message that it waits for', told().includes(wait.querySelector('title').textContent)
      && told().some((line) => line.startsWith(`rank ${awaited}: on the way to ${waiting}, `)), told().join('; '));
    if (data.network) {
      const held = [...timeline.querySelectorAll('.flight')].find((line) => line.querySelector('title').textContent.includes(' of it waiting for links'));
      click(held);
      const [, time, link] = /, ([\d.]+ [µm]?s) of it waiting for links, longest for ([^;]*)/.exec(told().find((line) => line.includes('on the way to'))) || [];
      check('of a message that a link has held up it tells how long, and which', parseFloat(time) > 0 && data.network.names.some((name) => link.startsWith(name)), told().join('; '));
    }
    const lone = [...timeline.querySelectorAll('.activity')].find((bar) => bar.dataset.message === '-1');
    if (lone) {
      click(lone);
      check('of no message it tells what is clicked', told().length === 1 && told()[0] === lone.querySelector('title').textContent, told().join('; '));
    }
    click(timeline);
    check('a click beside them tells nothing', told().length === 0, told().join('; '));
    const shown = round_shown();
    press('ArrowRight', timeline);
    check('the arrows in it go from message to message', told().length >= 3 && timeline.querySelector('.picked').dataset.message === '0' && round_shown() === shown, told().join('; '));
    press('ArrowRight', timeline);
    press('ArrowLeft', timeline);
    check('and back', timeline.querySelector('.picked').dataset.message === '0');
    press('Escape', timeline);
    check('escape ends it', told().length === 0);
  };

  const alone = async () => {
    check('nothing was loaded', performance.getEntriesByType('resource').length === 0);
    check('nothing was refused', refused.length === 0, refused.join());
    await fetch('http://127.0.0.1:9/').then(() => check('the page cannot reach the network', false), () => {});
    await pause(100); // the browser tells of it later
    check('and could not load anything', refused.length === 1, refused.length);
  };

  try {
    if (typeof whole_test !== 'undefined') check('the address says with which round to begin', round_shown() === 3, round_shown());
    every_page();
    if (views.length > 1) side_by_side();
    else if (data.personal && data.size > 1) personal_blocks();
    if (views.length === 1 && data.network) meeting();
    if (data.size === 256) shades();
    if (innerWidth <= 600) narrow_window();
    simulation();
    if (data.rounds.length * data.size <= 256) printing();
    if (typeof small_window !== 'undefined') seen_together();
    if (typeof whole_test !== 'undefined') {
      stepping();
      figure_2();
      choosing();
      await playing();
      await moving();
      network();
      check(`the room is ${expected_room}`, matchMedia(`(prefers-color-scheme: ${expected_room})`).matches);
      const light = getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)';
      check(`so the sheet is ${expected_room}`, light === (expected_room === 'light'));
      await alone();
    }
  } catch (error) {
    check('the test comes to its end', false, error.stack);
  }
  check('no error was thrown', errors.length === 0, errors.join('; '));
  lines.push(`${lines.length} checks`);
  const text = lines.join('\n');
  if (parent !== window) parent.postMessage({ page: location.pathname.replace(/.*\//, ''), text }, '*');
  else document.body.append(Object.assign(document.createElement('pre'), { id: 'report', textContent: text }));
})();

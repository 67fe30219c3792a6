// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// Buttons, slider, keys and mouse; what is shown now. Last part of the page's script.
inline constexpr const char* page_controls = R"js(
const $ = (id) => document.getElementById(id);
const views = [...document.querySelectorAll('script[type="application/json"]')].map((script) =>
  view_of(JSON.parse(script.textContent), script.id.slice('data'.length)));
const positions = Math.max(1, ...views.map((view) => view.data.rounds.length)); // one rank: nothing to step through
const width = Math.max(...views.map((view) => view.width));
let round = 0;
/** What the user looks at: {rank}, of all schedules, or {message, part} or {link, part} of one, or nothing. */
let chosen = {};
let playing = null;

function show() {
  const active = document.activeElement;
  const focused = active && active.dataset ? active.dataset.key : undefined;
  const home = views.find((view) => view.stage.contains(active));
  for (const view of views) {
    view.show(round, chosen.part === undefined || chosen.part === view.part ? chosen : {}, width);
    leave_one_stop(view);
  }
  $('where').textContent = views.some((view) => view.data.rounds.length) ? `Round ${round} of 0–${positions - 1}` : 'No rounds';
  $('slider').value = round;
  $('slider').setAttribute('aria-valuetext', `round ${round}`);
  for (const id of ['first', 'back']) $(id).disabled = round === 0;
  for (const id of ['next', 'last']) $(id).disabled = round === positions - 1;
  $('play').disabled = positions < 2;
  document.body.dataset.round = round;
  if (focused && home) { // the drawing is new, the place in it is not
    const again = home.stage.querySelector(`[data-key="${focused}"]`);
    if (again) again.focus({ preventScroll: true });
  }
}

/** What can have the focus in a picture, in the order of the up and down keys: ranks before the round, and messages. */
function places_of(view) {
  return [...view.stage.querySelectorAll('[data-key]')].filter((place) => !place.dataset.key.startsWith('after'));
}
/** The tab key stops once in a picture: where the focus was last, or else at the first place. */
function leave_one_stop(view) {
  const places = places_of(view);
  const stop = places.find((place) => place.dataset.key === view.stop) ?? places[0];
  for (const place of places) place.setAttribute('tabindex', place === stop ? 0 : -1);
}
/** From a place in a picture to the one above or below; true if `from` is one. */
function step_over(from, by) {
  const view = views.find((v) => v.stage.contains(from));
  if (!view) return false;
  const places = places_of(view);
  const to = places[places.indexOf(from.closest('[data-key]')) + by];
  if (to) to.focus();
  return true;
}

function go(to) {
  to = Math.max(0, Math.min(positions - 1, to));
  if (to === round) return;
  const forward = to === round + 1;
  round = to;
  chosen = chosen.message === undefined ? chosen : {}; // messages belong to a round
  history.replaceState(null, '', `#round=${round}`);
  show();
  if (forward) for (const view of views) view.animate(round);
}
/** `of_round`: of a message, where it is another one than the one shown. */
function choose(what, of_round = round) {
  go(of_round);
  const same = ['rank', 'message', 'link', 'part'].every((kind) => what[kind] === chosen[kind]);
  chosen = same ? {} : what;
  show();
}

function stop() {
  clearInterval(playing);
  playing = null;
  show_playing();
}
function show_playing() {
  $('play').setAttribute('aria-label', playing === null ? 'play' : 'pause');
  $('play').firstElementChild.firstElementChild.setAttribute('d', playing === null ? 'M3 1v14l11-7z' : 'M3 1h3.5v14H3zM9.5 1H13v14H9.5z');
}
function play() {
  if (playing !== null) return stop();
  if (round === positions - 1) go(0);
  playing = setInterval(() => {
    go(round + 1);
    if (round === positions - 1) stop();
  }, 1600);
  show_playing();
}

$('first').addEventListener('click', () => go(0));
$('back').addEventListener('click', () => go(round - 1));
$('next').addEventListener('click', () => go(round + 1));
$('last').addEventListener('click', () => go(positions - 1));
$('play').addEventListener('click', play);
$('slider').max = positions - 1;
$('slider').addEventListener('input', () => go(Number($('slider').value)));

function choose_at(target) {
  const of = target.closest('[data-message], [data-rank], [data-link]');
  if (!of) return false;
  const { part } = views.find((view) => view.stage.contains(of) || (view.network && view.network.contains(of)));
  const { rank, message, link } = of.dataset;
  choose(message !== undefined ? { message: Number(message), part } : link !== undefined ? { link: Number(link), part } : { rank: Number(rank) });
  return true;
}
for (const view of views) {
  view.stage.addEventListener('click', (event) => { if (!choose_at(event.target)) choose({}); });
  view.stage.addEventListener('focusin', (event) => {
    view.stop = event.target.dataset.key;
    leave_one_stop(view);
  });
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const presses = event.key === ' ' || event.key === 'Enter';
  if (presses && target.closest('button')) return; // it is pressed, as buttons are
  if (presses && choose_at(target)) return event.preventDefault();
  const vertical = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (vertical && step_over(target, vertical)) return event.preventDefault();
  const actions = {
    ArrowRight: () => go(round + 1), ArrowLeft: () => go(round - 1),
    Home: () => go(0), End: () => go(positions - 1), ' ': play, Escape: () => choose({}),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

addEventListener('beforeprint', () => views.forEach((view) => view.lay_out()));
addEventListener('afterprint', () => {
  views.forEach((view) => view.clear());
  show();
});

addEventListener('hashchange', from_address);
function from_address() {
  const asked = /^#round=(\d+)$/.exec(location.hash);
  if (asked) round = Math.min(Number(asked[1]), positions - 1);
  chosen = {};
  show();
}
from_address();
document.body.dataset.ready = 'yes';
)js";

} // namespace tutti::detail

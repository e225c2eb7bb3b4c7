/**
 * Moves a live picture: draws its controls, sends what was done to them, puts new pictures in the place of old ones, and
 * answers hover by itself. What is legal, what is drawn and what is said comes from Python as traits. `module.py` puts
 * `wake` (the waker of the static pictures), `css` and the files that are imported here in front of this one.
 */

import { chips } from './chips.mjs';
import { asking, control, heir, kept } from './controls.mjs';
import { arrange, make } from './elements.mjs';
import { asleep, found, held, renew } from './renew.mjs';
import { board } from './sheet.mjs';
import { grips } from './touch.mjs';

const SILENCE = 3000;
const QUIET = 'The kernel does not answer. The picture below is what it said last, and can still be read; run the cell again to move it.';

/** Whether the host says that its kernel is gone, so that there is nothing to wait for. */
const gone = (model) => {
  const kernel = model.widget_manager?.kernel;
  return kernel === null || kernel?.isDisposed || ['dead', 'terminating'].includes(kernel?.status);
};

/**
 * Puts a view in the place of the twin in every output that has a seat for this model, and takes it away with the output.
 * @param {any} model
 * @param {(el: HTMLElement) => () => void} show
 */
const seat = (model, show) => {
  /** @type {Map<Element, () => void>} */
  const taken = new Map();
  const leave = (place) => {
    taken.get(place)();
    taken.delete(place);
  };
  const look = () => {
    for (const place of [...taken.keys()]) if (!place.isConnected) leave(place);
    for (const place of document.getElementsByClassName(model.get('seat') || ' ')) {
      if (taken.has(place) || gone(model)) continue;
      const [twin] = place.children;
      const el = make('div');
      place.replaceChildren(el);
      const end = show(el);
      taken.set(place, () => {
        end();
        place.replaceChildren(twin);
      });
    }
    // No seat will come then, and a page that stays open watches for nobody.
    if (!taken.size && gone(model)) watch.disconnect();
  };
  const watch = new MutationObserver(look);
  const begin = () => {
    if (!model.get('seat')) return;
    watch.observe(document.documentElement, { childList: true, subtree: true });
    look();
  };
  model.on('change:seat', begin);
  begin();
  return () => {
    watch.disconnect();
    model.off('change:seat', begin);
    [...taken.keys()].forEach(leave);
  };
};

export default () => {
  let mind;
  const views = new Set();

  /** One conversation for each widget, however many views show it. */
  const talk = (model, signal) => {
    if (mind) return mind;
    let timer;
    // Each page numbers its own questions, for several can show one widget.
    const page = String(Math.random());
    /** The kernel has ended, and one that is started anew knows nothing of this model. */
    let lost = false;
    const silent = (is) => views.forEach((view) => view.silent(is, lost || gone(model)));
    const unheard = () => {
      silent(true);
      return false;
    };
    const queue = asking((question) => {
      clearTimeout(timer);
      if (lost || gone(model)) return unheard();
      // A message of its own: a changed trait would wait until the kernel is idle after the question before.
      try {
        model.send({ asked: { page, ...question } });
      } catch {
        lost = true;
        return unheard();
      }
      timer = setTimeout(() => {
        silent(true);
        queue.again();
      }, SILENCE);
      return true;
    });
    const heard = () => {
      if (!queue.answered(model.get('answered')[page] || 0)) return;
      if (!queue.busy()) clearTimeout(timer);
      silent(false);
    };
    const { statusChanged } = model.widget_manager?.kernel || {};
    const changed = (_, status) => {
      if (!/restarting|terminating|dead/.test(status)) return;
      lost = true;
      silent(true);
    };
    statusChanged?.connect(changed);
    model.on('change:answered', heard);
    // An answer brings what has changed since the one before; if that was lost, all is asked for.
    let turn = model.get('turn');
    const turned = () => {
      if (model.get('turn') > turn + 1) model.send({ asked: { page, n: 0, again: true } });
      turn = model.get('turn');
    };
    model.on('change:turn', turned);
    const end = () => {
      clearTimeout(timer);
      model.off('change:answered', heard);
      model.off('change:turn', turned);
      statusChanged?.disconnect(changed);
      mind = null;
    };
    signal?.addEventListener('abort', end, { once: true });
    return (mind = { ...queue, end });
  };

  const initialize = ({ model, signal }) => {
    const { end } = talk(model, signal);
    const rise = seat(model, (el) => render({ model, el }));
    signal?.addEventListener('abort', rise, { once: true });
    return () => {
      rise();
      end();
    };
  };

  const render = ({ model, el, signal }) => {
    const conversation = talk(model);
    const { busy } = conversation;
    /** What is to be said again if it does not change: that a button was heard. */
    let pressed = false;
    const ask = (name, value, press) => {
      pressed ||= Boolean(press) && name !== 'cell' && name !== 'chip';
      conversation.ask(name, value, press);
    };
    const over = new AbortController();
    const on = (target, kind, act, more) => target.addEventListener(kind, act, { ...more, signal: over.signal });
    const top = make('div', 'twl');
    const panel = make('div', 'twl-controls');
    const edges = make('div', 'twl-edge');
    const quiet = make('p', 'twl-quiet', '');
    const stage = make('div', 'twl-stage');
    const desk = make('div', 'twl-desk');
    const heard = make('div', 'twl-heard');
    panel.role = 'group';
    panel.ariaLabel = 'Controls';
    edges.role = 'status';
    quiet.role = 'alert';
    quiet.hidden = true;
    heard.ariaLive = 'polite';
    desk.append(stage);
    // A question comes before its answers, on the page and for the keyboard.
    const below = model.get('below');
    top.classList.toggle('twl-asks', Boolean(below));
    top.append(make('style', '', css), ...(below ? [quiet, desk, panel] : [panel, quiet, desk]), heard);
    el.replaceChildren(top);

    const edge = (words) => {
      if (edges.textContent !== words) edges.textContent = words;
    };
    const specOf = (name) => model.get('controls').find((one) => one.name === name);
    const rows = new Map();
    const known = new Map();
    /** @type {Control[]} */
    let shown = [];
    const drawControls = () => {
      /** @type {Control[]} */
      const specs = model.get('controls');
      const inHand = shown.find(({ name }) => known.get(name)?.field === panel.getRootNode().activeElement);
      const calm = !busy();
      const wanted = new Map();
      for (const spec of specs) {
        let one = known.get(spec.name);
        if (one?.kind !== spec.kind) one = control(spec, on, { ...conversation, ask }, edge, specOf);
        wanted.set(spec.name, one);
        one.tell(spec, calm);
        let line = rows.get(spec.group);
        if (!line) {
          line = make('div', 'twl-row');
          line.role = 'group';
          line.ariaLabel = spec.group;
          line.append(make('span', 'twl-head', spec.group));
          rows.set(spec.group, line);
        }
        line.seen = line.seen || [];
        line.seen.push(one.box);
      }
      for (const [group, line] of rows) {
        if (!line.seen) rows.delete(group);
        else {
          arrange(line, [line.firstElementChild, ...line.seen]);
          delete line.seen;
        }
      }
      arrange(panel, [...new Set(specs.map((spec) => rows.get(spec.group))), edges]);
      known.clear();
      wanted.forEach((one, name) => known.set(name, one));
      panel.hidden = !specs.length;
      if (inHand && !known.has(inHand.name)) known.get(heir(shown, inHand.name, specs))?.field.focus({ preventScroll: true });
      shown = specs;
    };

    const sheet = board(on, stage);
    const watch = new MutationObserver(() => {
      const dark = stage.firstElementChild.classList.contains('dark');
      if (top.classList.toggle('dark', dark) !== top.dark) sheet.paint((top.dark = dark));
    });
    const touch = grips({
      desk, stage, on, ask, edge, specOf,
      limited(name, value) {
        const spec = specOf(name);
        return conversation.stale(name) ? [Math.min(spec.most, Math.max(spec.least, value)), ''] : kept(value, spec);
      },
      settled: () => settle(),
      repaint: (draft, hit) => sheet.paint(top.dark, draft, hit),
      canvas: sheet.face,
    });
    const names = chips({ stage, on, ask });
    // A picture waits while a grip is in hand, and while a later answer is still to come: the page is ahead of it.
    let late = false;
    const waits = () => touch.held() || (touch.ahead() && busy());
    const settle = () => {
      if (waits()) return;
      if (late) {
        draw();
        drawSheet();
      } else touch.rest(model.get('hands'));
    };
    const told = () => {
      const [size, stride, offset] = ['size', 'stride', 'offset'].map((name) => model.get(name));
      const known = model.get('hands');
      const whole = Array.isArray(size) && Array.isArray(stride) && size.length === stride.length && [...size, ...stride, offset].every(Number.isInteger);
      const differ = known?.letter && JSON.stringify([size, stride, offset]) !== JSON.stringify([known.size, known.stride, known.offset]);
      if (whole && differ) touch.told({ size, stride, offset });
    };
    let forget = () => {};
    let drawing = false;
    /** The picture on the page as Python drew it; null where all of the next one is drawn. @type {Element | null} */
    let drawn = null;
    /** A screen reader calls the pinned cell selected. */
    const choose = () => {
      const cell = stage.querySelector('.tw-pin');
      for (const one of stage.querySelectorAll('[aria-selected]')) if (one !== cell) one.removeAttribute('aria-selected');
      if (cell) cell.ariaSelected = 'true';
    };
    const givePin = () => {
      const now = stage.querySelector('.tw-pin');
      const name = model.get('pinned');
      if ((now?.note[0] || '') === name) return;
      const cell = name ? found(stage, { name, table: -1 }) : now;
      drawing = true;
      cell?.click();
      drawing = false;
      choose();
    };
    // The sentence of a cell is read aloud as long as one goes from cell to cell, and not with each new picture.
    const aloud = (is) => stage.querySelector('.tw-say')?.setAttribute('aria-live', is ? 'polite' : 'off');
    on(stage, 'focusin', () => aloud(true), { capture: true });
    const draw = () => {
      late = waits();
      if (late) return;
      const before = held(stage);
      forget();
      const sheet = make('template');
      sheet.innerHTML = model.get('html');
      const fresh = sheet.content.firstElementChild;
      const old = drawn;
      drawn = null;
      if (old) {
        asleep(stage);
        renew(stage.firstElementChild, old, fresh);
      } else stage.replaceChildren(fresh.cloneNode(true));
      // What a hand drags is changed on the page before Python answers, so there all of it is drawn anew.
      drawn = Object.keys(model.get('hands') || {}).length ? null : fresh;
      const root = stage.firstElementChild;
      const end = new AbortController();
      const leave = wake().mount(root, end) || forget;
      // The waker keeps its keys to itself: on its own root they are heard after it has acted.
      root.addEventListener('keydown', ({ key }) => ['Enter', ' ', 'Escape'].includes(key) && pin(), end);
      forget = () => (leave(), end.abort());
      watch.disconnect();
      watch.observe(root, { attributes: true, attributeFilter: ['class'] });
      top.dark = root.classList.contains('dark');
      top.classList.toggle('dark', top.dark);
      // This lays the page out at once.
      if (before.scroll) root.scrollLeft = before.scroll;
      givePin();
      drawing = true;
      const hovered = before.hovered && found(stage, before.hovered);
      if (hovered) hovered.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      const focused = before.focused && found(stage, before.focused);
      if (focused) focused.focus({ preventScroll: true });
      drawing = false;
      aloud(before.focused);
      touch.draw(model.get('hands'));
      names.draw(model.get('hands')?.chips, busy());
    };
    const pin = () => {
      choose();
      const name = stage.querySelector('.tw-pin')?.note[0] || '';
      if (name !== model.get('pinned')) ask('cell', name, true);
    };
    on(stage, 'click', (event) => drawing || !event.target.closest('.tw-cell') || pin());

    const drawSheet = () => {
      if (waits()) return void (late = true);
      sheet.draw(model.get('sheet'), model.get('cells'), top.dark, model.get('memory'), model.get('hands'));
      touch.place();
    };
    on(stage, 'scroll', touch.place, { capture: true });
    const sized = new ResizeObserver(touch.place);
    sized.observe(stage);
    const say = () => {
      heard.textContent = model.get('status');
      pressed = false;
    };
    const answered = () => {
      drawControls();
      settle();
      // A text that is put in its own place is no change: it goes for a moment.
      queueMicrotask(() => {
        if (!pressed || busy()) return;
        pressed = false;
        heard.textContent = '';
        setTimeout(() => heard.textContent || say(), 100);
      });
    };
    // One message brings several traits, and what depends on them is drawn once. An error ends one act, not the others.
    const due = new Set();
    const acts = () => {
      const now = over.signal.aborted ? [] : [...due];
      due.clear();
      for (const one of now) try { one(); } catch (error) { reportError(error); }
    };
    const later = (act) => () => {
      if (!due.size) queueMicrotask(acts);
      due.add(act);
    };
    const listen = Object.entries({
      html: draw, pinned: givePin, controls: drawControls, answered, status: say,
      sheet: drawSheet, cells: drawSheet, memory: drawSheet, hands: drawSheet, size: told, stride: told, offset: told,
    }).map(([name, act]) => [`change:${name}`, later(act)]);
    for (const [name, act] of listen) model.on(name, act);
    const view = {
      silent(is, forGood) {
        if (quiet.hidden === is) [quiet.textContent, quiet.hidden] = [is ? QUIET : '', !is];
        if (!forGood) return;
        // No answer will come: the controls go back to what the picture shows.
        for (const spec of model.get('controls')) known.get(spec.name)?.tell(spec, true);
        touch.rest(model.get('hands'));
      },
    };
    views.add(view);
    drawControls();
    draw();
    drawSheet();
    top.dataset.twl = 'ready';

    const end = () => {
      over.abort();
      watch.disconnect();
      sized.disconnect();
      forget();
      views.delete(view);
      for (const [name, act] of listen) model.off(name, act);
      el.replaceChildren();
    };
    signal?.addEventListener('abort', end, { once: true });
    return end;
  };

  return { initialize, render };
};

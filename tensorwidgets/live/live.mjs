/**
 * Moves a live picture: draws its controls, sends what was done to them, puts new pictures in the place of old ones, and
 * answers hover by itself. What is legal, what is drawn and what is said comes from Python as traits. `module.py` puts
 * `wake` (the waker of the static pictures), `css` and the grips of `touch.mjs` in front of this file.
 *
 * @typedef {{kind: string, name: string, label: string, group: string, [fact: string]: any}} Control
 * @typedef {{rows: number, columns: number, count: number, every: number[], dims: number[][], offset: number, itemsize: number, label: string,
 *   scale: number, low: number, high: number, shades: string[][], unit: string}} Sheet
 */

import { chips } from './chips.mjs';
import { grips, mask, resheeted, sheetNumbers } from './touch.mjs';

/**
 * A slider's value inside its edges, and the words for the edge that it was pushed over. Where nothing is legal it moves
 * freely: one of the others has to be moved too.
 * @param {number} value
 * @param {Control} spec
 * @returns {[number, string]}
 */
export const kept = (value, spec) => {
  if (spec.low > spec.high) return [value, ''];
  if (value < spec.low) return [spec.low, spec.below];
  if (value > spec.high) return [spec.high, spec.beyond];
  return [value, ''];
};

/**
 * Questions to Python, one under way at a time; two about one slider, so that the next is answered while the last is
 * drawn. Of several that wait about one slider or one line only the last is asked; presses wait in a row.
 * @param {(question: {n: number, name: string, value: any}) => void} send
 * @param {() => number} last  the number of the last question that was answered, by whomever it was asked
 */
export const asking = (send, last) => {
  let newest = 0;
  /** @type {{n: number, name: string, press: boolean}[]} */
  let flying = [];
  /** @type {{name: string, value: any, press: boolean}[]} */
  let waiting = [];
  const goes = (one) => !flying.length || (flying.length < 2 && !one.press && !flying[0].press && flying[0].name === one.name);
  const next = () => {
    while (waiting.length && goes(waiting[0])) {
      const { name, value, press } = waiting.shift();
      newest = Math.max(newest, last()) + 1;
      flying.push({ n: newest, name, press });
      send({ n: newest, name, value });
    }
  };
  return {
    /** Whether an answer is still to come. */
    busy: () => flying.length > 0,
    /** Whether an answer about another control is still to come, so that what is known of this one may be out of date. */
    stale: (name) => [...flying, ...waiting].some((one) => one.name !== name),
    ask(name, value, press = false) {
      const same = waiting.findIndex((one) => one.name === name && !press && !one.press);
      if (same >= 0) waiting[same].value = value;
      else waiting.push({ name, value, press });
      next();
    },
    answered(n) {
      const before = flying.length;
      flying = flying.filter((one) => one.n > n);
      if (flying.length === before) return false;
      next();
      return true;
    },
  };
};

/**
 * The row and column of a sheet under a point, or null beside it.
 * @param {Sheet} sheet
 * @param {number} x
 * @param {number} y
 * @returns {[number, number] | null}
 */
export const under = (sheet, x, y) => {
  const [row, column] = [Math.floor(y / sheet.scale), Math.floor(x / sheet.scale)];
  const inside = row >= 0 && column >= 0 && row < sheet.rows && column < sheet.columns;
  return inside && row * sheet.columns + column < sheet.count ? [row, column] : null;
};

/**
 * The index in the array of a place on a sheet: a vector is laid in lines, and dimensions before the last two stand at 0.
 * @param {Sheet} sheet
 * @param {[number, number]} at
 */
export const indexOf = (sheet, [row, column]) => {
  if (sheet.dims.length === 1) return [(row * sheet.columns + column) * sheet.every[1]];
  const lead = Math.max(sheet.dims.length - 2, 0);
  return [...Array(lead).fill(0), row * sheet.every[0], column * sheet.every[1]];
};

/**
 * What a cell of a sheet says, in the words of every picture.
 * @param {Sheet} sheet
 * @param {number[]} index
 */
export const saying = (sheet, index) => {
  const terms = index.map((i, d) => ` + ${i}*${sheet.dims[d][1]}`).join('');
  const place = index.reduce((sum, i, d) => sum + i * sheet.dims[d][1], sheet.offset);
  const first = sheet.unit === 'offset' ? place * sheet.itemsize : place;
  const end = first + sheet.itemsize - 1;
  const bytes = end > first ? `bytes ${first}..${end}` : `byte ${first}`;
  return `${sheet.unit} = ${sheet.offset}${terms}${index.length ? ` = ${place}` : ''} -> ${bytes}`;
};

/**
 * Which shade a number has, -1 where it is none.
 * @param {number} value
 * @param {Sheet} sheet
 */
export const shade = (value, { low, high, shades }) => {
  if (!Number.isFinite(value)) return -1;
  const most = shades[0].length - 1;
  return high > low ? Math.round(Math.min(1, Math.max(0, (value - low) / (high - low))) * most) : 0;
};

/** A key as a step on a sheet: rows, columns. */
export const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

const SUPPRESS = 'data-lm-suppress-shortcuts';
const SILENCE = 3000;
const QUIET = 'The kernel does not answer. The picture below is what it said last, and can still be read; run the cell again to move it.';

/** @param {string} name @param {string} [cls] @param {string} [text] */
const make = (name, cls = '', text = '') => {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text) made.textContent = text;
  return made;
};

/**
 * Gives an element these children in this order, and leaves in place what stands right: what is moved loses the focus.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
const arrange = (parent, wanted) => {
  for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, k) => parent.children[k] === child || parent.insertBefore(child, parent.children[k] || null));
};

/** One control as an element that can be told anew. */
const control = (spec, on, { ask, stale, busy }, edge, specOf) => {
  const box = make(['button', 'play'].includes(spec.kind) ? 'button' : 'label', `twl-${spec.kind}`);
  const name = make('span', 'twl-name');
  let now = spec;
  let tell;
  if (spec.kind === 'button') {
    box.type = 'button';
    on(box, 'click', () => {
      edge('');
      ask(now.name, null, true);
    });
    tell = () => {
      box.textContent = now.label;
      box.title = now.code;
      if (now.pressed !== null) box.ariaPressed = String(now.pressed);
    };
  } else if (spec.kind === 'play') {
    box.type = 'button';
    let timer = 0;
    const next = () => {
      const of = specOf(now.of);
      if (!of || !box.isConnected || of.value >= of.high) return pause();
      if (!busy()) ask(now.of, of.value + 1);
    };
    const pause = () => {
      clearInterval(timer);
      timer = 0;
      tell();
    };
    on(box, 'click', () => {
      if (timer) return pause();
      const of = specOf(now.of);
      timer = setInterval(next, now.every);
      ask(now.of, of.value < of.high ? of.value + 1 : of.low);
      tell();
    });
    tell = () => {
      box.textContent = timer ? '❚❚ pause' : now.label;
      box.title = now.code;
    };
  } else if (spec.kind === 'slider') {
    const input = make('input');
    const out = make('output');
    input.type = 'range';
    box.append(name, input, out);
    on(input, 'input', () => {
      // The edges depend on the other controls: until Python has answered about those, it is Python that decides.
      const [value, words] = stale(now.name) ? [+input.value, ''] : kept(+input.value, now);
      input.value = String(value);
      out.textContent = String(value);
      input.ariaValueText = words ? `${value}. ${words}` : String(value);
      edge(words);
      if (value !== now.value || words === '') ask(now.name, value);
    });
    tell = (calm) => {
      name.textContent = now.label;
      name.className = `twl-name${now.hue === null ? '' : ` twl-hue${now.hue % 4}`}`;
      [input.min, input.max] = [String(now.least), String(now.most)];
      const part = (value) => `${Math.round(((value - now.least) / Math.max(now.most - now.least, 1)) * 1000) / 10}%`;
      input.style.setProperty('--low', part(now.low));
      input.style.setProperty('--high', part(Math.max(now.low, now.high)));
      if (calm || input.getRootNode().activeElement !== input) {
        input.value = String(now.value);
        input.ariaValueText = now.shown;
        out.textContent = now.shown;
      }
    };
  } else if (spec.kind === 'text') {
    const input = make('input');
    input.type = 'text';
    input.spellcheck = false;
    input.autocomplete = 'off';
    box.append(name, input);
    let sent = spec.value;
    on(input, spec.done ? 'change' : 'input', () => ask(now.name, (sent = input.value)));
    tell = (calm) => {
      name.textContent = now.label;
      input.size = now.wide;
      input.ariaInvalid = String(now.wrong);
      // What is being typed is the person's, until Python says something else than what it was told.
      const typing = input.getRootNode().activeElement === input;
      if (!typing || (calm && now.value !== sent && now.value !== input.value)) input.value = sent = now.value;
    };
  } else {
    const select = make('select');
    box.append(name, select);
    on(select, 'change', () => ask(now.name, select.value));
    tell = () => {
      name.textContent = now.label;
      if (select.options.length !== now.choices.length || now.choices.some((c, k) => select.options[k].value !== c))
        select.replaceChildren(...now.choices.map((c) => Object.assign(make('option', '', c), { value: c })));
      select.value = now.value;
    };
  }
  for (const e of [box, ...box.querySelectorAll('input, select')]) {
    e.setAttribute(SUPPRESS, 'true');
    if (e !== box) e.ariaLabel = `${spec.group} ${spec.label}`.trim();
  }
  box.dataset.name = spec.name;
  name.hidden = !spec.label;
  return { box, kind: spec.kind, tell: (fresh, calm) => ((now = fresh), tell(calm)) };
};

/** A large array on a canvas: painted once, hovered by arithmetic. */
const board = (on, stage) => {
  const box = make('div', 'twl-sheet');
  const face = make('div', 'twl-board');
  const canvas = make('canvas');
  const mark = make('div', 'twl-mark');
  const told = make('div', 'twl-told');
  const fact = make('div', 'twl-fact');
  const aside = make('figure', 'twl-base');
  const thumb = make('canvas');
  const name = make('figcaption');
  const both = make('div', 'twl-both');
  aside.append(name, thumb);
  face.append(canvas, mark);
  both.append(aside, face);
  box.append(fact, both, told);
  canvas.tabIndex = 0;
  canvas.role = 'application';
  canvas.setAttribute(SUPPRESS, 'true');
  told.ariaLive = 'polite';
  let sheet, numbers, at = [0, 0];
  const show = (place) => {
    at = place;
    const index = indexOf(sheet, at);
    const value = numbers[at[0] * sheet.columns + at[1]];
    mark.style.cssText = `display:block;width:${sheet.scale}px;height:${sheet.scale}px;transform:translate(${at[1] * sheet.scale}px,${at[0] * sheet.scale}px)`;
    told.textContent = `${sheet.label}[${index.join(', ')}] = ${value}\u2002\u2002${saying(sheet, index)}`;
  };
  on(canvas, 'pointermove', (event) => {
    const place = drawn === sheet && under(sheet, event.offsetX, event.offsetY);
    if (place) show(place);
  });
  on(canvas, 'focus', () => show(at));
  on(canvas, 'keydown', (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const stride = event.shiftKey ? 10 : 1;
    const inside = (k, n) => Math.min(n - 1, Math.max(0, at[k] + step[k] * stride));
    const place = [inside(0, sheet.rows), inside(1, sheet.columns)];
    if (place[0] * sheet.columns + place[1] < sheet.count) show(place);
    event.preventDefault();
    event.stopPropagation();
  });
  /** Paints numbers on a canvas; `hit` says of each whether it is read, the others are pale. */
  const colour = (target, { rows, columns, scale, low, high, shades, odd }, values, dark, hit) => {
    const small = make('canvas');
    [small.width, small.height] = [Math.max(columns, 1), Math.max(rows, 1)];
    const pen = small.getContext('2d');
    const image = pen.createImageData(small.width, small.height);
    const points = new Uint32Array(image.data.buffer);
    // Bytes stand in the order red, green, blue, alpha.
    const point = (hex, alpha = 255) => new Uint32Array(new Uint8Array([...[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)), alpha]).buffer)[0];
    const ramp = shades[+dark].map((hex) => point(hex));
    const pale = shades[+dark].map((hex) => point(hex, 60));
    const none = point(odd[+dark]);
    const range = { low, high, shades };
    for (let k = 0; k < values.length; k++) {
      const s = shade(values[k], range);
      points[k] = s < 0 ? none : (hit && !hit(k) ? pale : ramp)[s];
    }
    pen.putImageData(image, 0, 0);
    [target.width, target.height] = [Math.max(1, Math.round(columns * scale)), Math.max(1, Math.round(rows * scale))];
    const brush = target.getContext('2d');
    brush.imageSmoothingEnabled = scale < 1;
    brush.drawImage(small, 0, 0, target.width, target.height);
  };
  let drawn, base, memory, held;
  const numbersAt = ({ buffer, byteOffset, byteLength }) => new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength));
  const paint = (dark, draft, hit) => {
    if (!sheet) return;
    const ahead = draft && memory.length;
    drawn = ahead ? resheeted(sheet, draft) : sheet;
    colour(canvas, drawn, ahead ? sheetNumbers(drawn, memory) : numbers, dark, null);
    aside.hidden = !base;
    if (!base) return;
    const read = hit || mask(held, memory.length);
    colour(thumb, base.sheet, base.numbers, dark, (k) => read[base.places[k]]);
  };
  return {
    paint,
    /** The canvas of a large view and its measures, for the grips; null where the view is no canvas. */
    face: () => sheet && {
      face: canvas,
      each: drawn.dims.length > 1 ? [drawn.scale / drawn.every[1], drawn.scale / drawn.every[0]] : [drawn.scale, drawn.scale / (drawn.columns * drawn.every[1])],
      extent: (now) => {
        const { rows, columns } = resheeted(sheet, now);
        return [columns * sheet.scale, rows * sheet.scale];
      },
    },
    draw(fresh, cells, dark, whole, hands) {
      sheet = fresh?.rows ? fresh : null;
      if (!sheet) return box.remove();
      numbers = numbersAt(cells);
      if (whole !== memory?.whole) memory = Object.assign(numbersAt(whole), { whole });
      held = hands;
      const own = memory.length ? sheet.base : null;
      base = own && { sheet: own, numbers: sheetNumbers(own, memory), places: sheetNumbers(own, memory.places ??= Float64Array.from(memory, (_, k) => k)) };
      at = [Math.min(at[0], sheet.rows - 1), Math.min(at[1], sheet.columns - 1)];
      fact.textContent = sheet.fact;
      name.textContent = own?.label || '';
      canvas.ariaLabel = `${sheet.label}: ${sheet.fact} Arrow keys move from cell to cell.`;
      if (!box.isConnected) stage.before(box);
      paint(dark);
      show(at);
      box.dataset.ready = String(numbers.length);
    },
  };
};

/** What is in hand in a picture, so that it can be put back into the next. */
const held = (stage) => {
  const root = stage.firstElementChild;
  const tables = () => [...stage.querySelectorAll('.tw-view,table')];
  const whereabouts = (cell) => cell && { name: cell.note?.[0], table: tables().indexOf(cell.closest('.tw-view,table')) };
  const focused = stage.getRootNode().activeElement;
  return {
    focused: stage.contains(focused) ? whereabouts(focused) : null,
    hovered: stage.matches(':hover') ? whereabouts(stage.querySelector('.tw-src')) : null,
    scroll: root?.scrollLeft ?? 0,
  };
};

/** The cell of that name, in the same table where it is still there. */
const found = (stage, { name, table }) => {
  const all = [...stage.querySelectorAll('.tw-cell')].filter((c) => c.note?.[0] === name);
  const tables = [...stage.querySelectorAll('.tw-view,table')];
  return all.find((c) => c.closest('.tw-view,table') === tables[table]) || all[0];
};

/** Takes away what the waker marked, so that it can wake this picture again. */
const asleep = (stage) => {
  for (const table of stage.querySelectorAll('[role=grid]')) table.removeAttribute('role');
  for (const cell of stage.querySelectorAll('.tw-hot,.tw-pin')) cell.classList.remove('tw-hot', 'tw-src', 'tw-pin');
};

/** What the waker fills by itself: made anew with every picture. */
const FILLED = '.tw-say,.tw-hops,.tw-at,.tw-src';

/**
 * Puts the new parts of a picture in the place of the old ones. What is the same stays on the page as it is, and the
 * browser lays out the rest only.
 * @param {Element} shown  what is on the page, awake
 * @param {Element} old  the same as it was drawn
 * @param {Element} fresh  as it is drawn now
 */
const renew = (shown, old, fresh) => {
  const filled = fresh.matches(FILLED);
  if (old.isEqualNode(fresh) && !filled && !fresh.querySelector(FILLED)) return;
  const inside = [...shown.children].filter((one) => one.tagName !== 'STYLE');
  const [before, after] = [old, fresh].map((one) => [...one.childNodes]);
  // Only elements inside, and on the page as many as were drawn.
  const parts = after.length > 0 && after.length === fresh.children.length && before.length === old.children.length && before.length === inside.length;
  if (filled || !parts || !old.cloneNode().isEqualNode(fresh.cloneNode())) return void shown.replaceWith(fresh.cloneNode(true));
  inside.slice(after.length).forEach((one) => one.remove());
  after.forEach((one, k) => (k < inside.length ? renew(inside[k], before[k], one) : shown.append(one.cloneNode(true))));
};

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
    const silent = (is) => views.forEach((view) => view.silent(is));
    const queue = asking(
      (question) => {
        clearTimeout(timer);
        if (gone(model)) return silent(true);
        // A message of its own: a changed trait would wait until the kernel is idle after the question before.
        try {
          model.send({ asked: question });
        } catch {
          return silent(true); // the kernel was started anew, and knows nothing of this model
        }
        timer = setTimeout(() => silent(true), SILENCE);
      },
      () => model.get('answered'),
    );
    const heard = () => {
      if (!queue.answered(model.get('answered'))) return;
      if (!queue.busy()) clearTimeout(timer);
      silent(false);
    };
    model.on('change:answered', heard);
    const end = () => {
      clearTimeout(timer);
      model.off('change:answered', heard);
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
    const { ask, busy } = conversation;
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
    top.append(make('style', '', css), panel, quiet, desk, heard);
    el.replaceChildren(top);

    const edge = (words) => {
      if (edges.textContent !== words) edges.textContent = words;
    };
    const specOf = (name) => model.get('controls').find((one) => one.name === name);
    const rows = new Map();
    const known = new Map();
    const drawControls = () => {
      /** @type {Control[]} */
      const specs = model.get('controls');
      const calm = !busy();
      const wanted = new Map();
      for (const spec of specs) {
        let one = known.get(spec.name);
        if (one?.kind !== spec.kind) one = control(spec, on, conversation, edge, specOf);
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
    const givePin = () => {
      const now = stage.querySelector('.tw-pin');
      const name = model.get('pinned');
      if ((now?.note[0] || '') === name) return;
      const cell = name ? found(stage, { name, table: -1 }) : now;
      drawing = true;
      cell?.click();
      drawing = false;
    };
    const draw = () => {
      late = waits();
      if (late) return;
      const before = held(stage);
      forget();
      const sheet = document.createElement('template');
      sheet.innerHTML = model.get('html');
      const fresh = sheet.content.firstElementChild;
      if (drawn) {
        asleep(stage);
        renew(stage.firstElementChild, drawn, fresh);
      } else stage.replaceChildren(fresh.cloneNode(true));
      // What a hand drags is changed on the page before Python answers, so there all of it is drawn anew.
      drawn = Object.keys(model.get('hands') || {}).length ? null : fresh;
      const root = stage.firstElementChild;
      const end = new AbortController();
      const leave = wake().mount(root, end) || forget;
      forget = () => (leave(), end.abort());
      watch.disconnect();
      watch.observe(root, { attributes: true, attributeFilter: ['class'] });
      top.dark = root.classList.contains('dark');
      top.classList.toggle('dark', top.dark);
      if (before.scroll) root.scrollLeft = before.scroll; // which lays the page out at once
      givePin();
      drawing = true;
      const hovered = before.hovered && found(stage, before.hovered);
      if (hovered) hovered.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      const focused = before.focused && found(stage, before.focused);
      if (focused) focused.focus({ preventScroll: true });
      drawing = false;
      touch.draw(model.get('hands'));
      names.draw(model.get('hands')?.chips);
    };
    const pin = () => {
      const name = stage.querySelector('.tw-pin')?.note[0] || '';
      if (name !== model.get('pinned')) ask('cell', name, true);
    };
    on(stage, 'click', (event) => drawing || !event.target.closest('.tw-cell') || pin());
    // The waker keeps the keys that it knows to itself, so they are heard on the way down and acted on after it.
    on(stage, 'keydown', (event) => ['Enter', ' ', 'Escape'].includes(event.key) && setTimeout(pin), { capture: true });

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
    };
    const answered = () => {
      drawControls();
      settle();
    };
    // One message brings several traits, and what depends on them is drawn once.
    const due = new Set();
    const later = (act) => () => {
      if (!due.size) queueMicrotask(() => over.signal.aborted || [...due].forEach((one) => due.delete(one) && one()));
      due.add(act);
    };
    const listen = {
      'change:html': later(draw), 'change:pinned': later(givePin), 'change:controls': later(drawControls),
      'change:answered': later(answered), 'change:sheet': later(drawSheet), 'change:cells': later(drawSheet),
      'change:status': later(say), 'change:memory': later(drawSheet), 'change:hands': later(drawSheet),
      'change:size': later(told), 'change:stride': later(told), 'change:offset': later(told),
    };
    for (const [name, act] of Object.entries(listen)) model.on(name, act);
    const view = {
      silent(is) {
        quiet.textContent = is ? QUIET : '';
        quiet.hidden = !is;
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
      for (const [name, act] of Object.entries(listen)) model.off(name, act);
      el.replaceChildren();
    };
    signal?.addEventListener('abort', end, { once: true });
    return end;
  };

  return { initialize, render };
};

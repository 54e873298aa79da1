// Drawing a chart's axes and curves into an SVG element.
const COLOURS = 7;
const DASHES = 4;
const MOST_DOTS = 40;

function svg(tag, attributes = {}, parent = null) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (parent) parent.append(made);
  return made;
}

function html(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const hue = (index) => `c${index % COLOURS}`;
const dash = (index) => `d${index % DASHES}`;
const line = (curve, index) => `line ${curve.points ? '' : dash(index)}`;
const ticked = (value) => shown(value, 6);

function drawAxes(parent, x, y, data) {
  const [left, right] = x.range;
  const [bottom, top] = y.range;
  const group = svg('g', {}, parent);
  for (const tick of y.ticks(Math.max(2, Math.round((bottom - top) / 55)))) {
    const at = y.pixel(tick);
    svg('line', { class: 'grid', x1: left, x2: right, y1: at, y2: at }, group);
    svg('text', { x: left - 8, y: at + 4, 'text-anchor': 'end' }, group).textContent = ticked(tick);
  }
  for (const tick of x.ticks(Math.max(2, Math.round((right - left) / 80)))) {
    const at = x.pixel(tick);
    svg('line', { class: 'frame', x1: at, x2: at, y1: bottom, y2: bottom + 5 }, group);
    svg('text', { x: at, y: bottom + 19, 'text-anchor': 'middle' }, group).textContent = ticked(tick);
  }
  svg('line', { class: 'frame', x1: left, x2: right, y1: bottom, y2: bottom }, group);
  svg('text', { class: 'label', x: 0, y: 12 }, group).textContent = data.ylabel;
  svg('text', { class: 'label', x: right, y: bottom + 38, 'text-anchor': 'end' }, group).textContent = data.xlabel;
}

function drawCurve(parent, curve, index, x, y) {
  const group = svg('g', { class: `curve ${hue(index)}` }, parent);
  const seen = (i) => x.usable(curve.x[i]) && y.usable(curve.y[i]);
  const all = curve.x.map((_, i) => i);
  const few = all.length <= MOST_DOTS;
  if (curve.low) drawErrors(group, curve, all, x, y, few || curve.points);
  if (!curve.points) {
    let pen = 'M';
    let path = '';
    for (const i of all) {
      if (!seen(i)) {
        pen = 'M';
        continue;
      }
      path += `${pen}${x.pixel(curve.x[i]).toFixed(1)} ${y.pixel(curve.y[i]).toFixed(1)}`;
      pen = 'L';
    }
    svg('path', { class: line(curve, index), d: path }, group);
  }
  if (few || curve.points) {
    for (const i of all.filter(seen)) svg('circle', { class: 'dot', r: 3.5, cx: x.pixel(curve.x[i]), cy: y.pixel(curve.y[i]) }, group);
  }
  return group;
}

function drawErrors(group, curve, all, x, y, asBars) {
  const known = all.filter((i) => x.usable(curve.x[i]) && y.usable(curve.high[i]) && isNumber(curve.low[i]));
  // On a logarithmic axis an error bar that reaches zero goes down to the axis.
  const foot = (i) => (y.usable(curve.low[i]) ? y.pixel(curve.low[i]) : y.range[0]);
  if (asBars) {
    for (const i of known) svg('line', { class: 'bar', x1: x.pixel(curve.x[i]), x2: x.pixel(curve.x[i]), y1: foot(i), y2: y.pixel(curve.high[i]) }, group);
    return;
  }
  const upper = known.map((i) => `${x.pixel(curve.x[i]).toFixed(1)},${y.pixel(curve.high[i]).toFixed(1)}`);
  const lower = known.map((i) => `${x.pixel(curve.x[i]).toFixed(1)},${foot(i).toFixed(1)}`).reverse();
  svg('polygon', { class: 'band', points: [...upper, ...lower].join(' ') }, group);
}

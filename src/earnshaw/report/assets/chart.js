// A chart that answers to pointer and keyboard: the nearest point is told, a dragged box is zoomed into.
const KEYS = 'Arrow keys go along a curve and from curve to curve, plus and minus zoom, 0 shows everything.';
const TALLEST = 360;
const LEAST_DRAG = 8;
let charts = 0;

class Chart {
  constructor(place) {
    this.data = JSON.parse(place.querySelector('script').textContent);
    this.hidden = new Set();
    this.chosen = null;
    this.identity = `clip:${(charts += 1)}`;
    this.build(place);
    this.showAll();
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  build(place) {
    const { label } = place.dataset;
    if (this.data.title) place.append(html('p', { className: 'chart-title', textContent: this.data.title }));
    this.svg = svg('svg', { 'aria-hidden': 'true' });
    this.tip = html('div', { className: 'tip', hidden: true });
    this.tip.setAttribute('aria-hidden', 'true');
    this.plot = html('div', { className: 'plot', tabIndex: 0 }, this.svg, this.tip);
    this.plot.setAttribute('role', 'application');
    this.plot.setAttribute('aria-label', `${label}. ${KEYS}`);
    this.live = html('div', { className: 'unseen' });
    this.live.setAttribute('aria-live', 'polite');
    place.append(this.plot, this.live, html('div', { className: 'controls' }, this.legend(), this.zoomButtons()));
    this.listen();
  }

  legend() {
    const legend = html('div', { className: 'legend' });
    this.data.curves.forEach((curve, index) => {
      const key = svg('svg', { viewBox: '0 0 26 11', class: hue(index), 'aria-hidden': 'true' });
      if (curve.points) svg('circle', { class: 'dot', cx: 13, cy: 5.5, r: 4 }, key);
      else svg('line', { class: line(curve, index), x1: 0, x2: 26, y1: 5.5, y2: 5.5 }, key);
      const button = html('button', { type: 'button' }, key, curve.name);
      button.setAttribute('aria-pressed', 'true');
      button.addEventListener('click', () => {
        if (!this.hidden.delete(index)) this.hidden.add(index);
        button.setAttribute('aria-pressed', String(!this.hidden.has(index)));
        this.choose(null);
        this.draw();
      });
      legend.append(button);
    });
    return legend;
  }

  zoomButtons() {
    const button = (text, label, act) => {
      const made = html('button', { type: 'button', textContent: text });
      made.setAttribute('aria-label', label);
      made.addEventListener('click', act);
      return made;
    };
    return html(
      'div',
      { className: 'zoom' },
      button('−', 'Zoom out', () => this.zoom(2)),
      button('+', 'Zoom in', () => this.zoom(0.5)),
      button('All', 'All: show everything', () => this.showAll()),
    );
  }

  listen() {
    const plot = this.plot;
    plot.addEventListener('pointerdown', (event) => this.press(event));
    plot.addEventListener('pointermove', (event) => this.move(event));
    plot.addEventListener('pointerup', (event) => this.release(event));
    plot.addEventListener('pointercancel', () => this.forget());
    plot.addEventListener('pointerleave', () => this.choose(null));
    plot.addEventListener('dblclick', () => this.showAll());
    plot.addEventListener('blur', () => this.choose(null));
    plot.addEventListener('keydown', (event) => this.key(event));
  }

  // What is seen

  showAll() {
    const { curves, xlog, ylog } = this.data;
    const heights = curves.flatMap((curve) => [...curve.y, ...(curve.low ?? []), ...(curve.high ?? [])]);
    this.domains = [around(curves.flatMap((curve) => curve.x), xlog), around(heights, ylog)];
    this.draw();
  }

  zoom(factor) {
    const [x, y] = [this.x, this.y];
    const middle = this.chosen && this.pixels(this.chosen);
    const ends = (scale, centre) => scale.range.map((end) => scale.value(centre + (end - centre) * factor));
    const centre = (scale) => (scale.range[0] + scale.range[1]) / 2;
    this.look(ends(x, middle ? middle[0] : centre(x)), ends(y, middle ? middle[1] : centre(y)));
  }

  look(x, y) {
    // Beyond some twelve digits neighbouring numbers are the same and there is nothing to see.
    const wide = ([low, high]) => isNumber(low) && isNumber(high) && high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high));
    if (!wide(x) || !wide(y)) return;
    this.domains = [x, y];
    this.draw();
  }

  draw() {
    const width = this.plot.clientWidth;
    if (!width || !this.domains) return;
    const height = Math.min(TALLEST, Math.max(230, width * 0.55));
    const [top, bottom] = [24, height - 46];
    this.y = new Scale(this.data.ylog, this.domains[1], [bottom, top]);
    const labels = this.y.ticks(Math.max(2, Math.round((bottom - top) / 55))).map((tick) => ticked(tick).length);
    this.x = new Scale(this.data.xlog, this.domains[0], [16 + 7 * Math.max(1, ...labels), width - 10]);
    this.svg.replaceChildren();
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('height', height);
    drawAxes(this.svg, this.x, this.y, this.data);
    const clip = svg('clipPath', { id: this.identity }, this.svg);
    const [left, right] = this.x.range;
    svg('rect', { x: left - 5, y: top - 5, width: right - left + 10, height: bottom - top + 10 }, clip);
    const inside = svg('g', { 'clip-path': `url(#${this.identity})` }, this.svg);
    this.groups = this.data.curves.map((curve, index) => (this.hidden.has(index) ? null : drawCurve(inside, curve, index, this.x, this.y)));
    this.over = svg('g', {}, this.svg);
    this.choose(this.chosen);
  }

  // The point that is told about

  pixels([index, place]) {
    const curve = this.data.curves[index];
    return [this.x.pixel(curve.x[place]), this.y.pixel(curve.y[place])];
  }

  *points() {
    for (const [index, curve] of this.data.curves.entries()) {
      if (this.hidden.has(index)) continue;
      for (let place = 0; place < curve.x.length; place += 1) {
        if (this.x.usable(curve.x[place]) && this.y.usable(curve.y[place])) yield [index, place];
      }
    }
  }

  nearest(left, top, among = this.points()) {
    let best = null;
    let least = Infinity;
    for (const point of among) {
      const [x, y] = this.pixels(point);
      const outside = x < this.x.range[0] - 1 || x > this.x.range[1] + 1 || y < this.y.range[1] - 1 || y > this.y.range[0] + 1;
      const distance = Math.hypot(x - left, y - top);
      if (!outside && distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  choose(point) {
    this.chosen = point;
    this.over?.replaceChildren();
    this.tip.hidden = !point;
    this.svg.classList.toggle('pointing', Boolean(point) && this.data.curves.length > 1);
    this.groups?.forEach((group, index) => group?.classList.toggle('chosen', index === point?.[0]));
    if (!point) return;
    const [x, y] = this.pixels(point);
    svg('line', { class: 'hair', x1: x, x2: x, y1: this.y.range[0], y2: this.y.range[1] }, this.over);
    svg('circle', { class: `cursor ${hue(point[0])}`, cx: x, cy: y, r: 5 }, this.over);
    this.tip.replaceChildren(...this.told(point).map((text, row) => html(row ? 'div' : 'b', { textContent: text })));
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const left = x + 14 + width > this.plot.clientWidth ? x - 14 - width : x + 14;
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, y - height - 10)}px)`;
  }

  told([index, place]) {
    const { curves, xlabel, ylabel } = this.data;
    const curve = curves[index];
    const lines = [curve.name, `${xlabel || 'x'}: ${shown(curve.x[place])}`, `${ylabel || 'y'}: ${shown(curve.y[place])}`];
    if (isNumber(curve.low?.[place]) && isNumber(curve.high[place])) lines.push(`${shown(curve.low[place])} to ${shown(curve.high[place])}`);
    return lines;
  }

  // Pointer

  at(event) {
    const frame = this.svg.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  press(event) {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    this.pressed = this.at(event);
    this.plot.setPointerCapture(event.pointerId);
  }

  move(event) {
    const here = this.at(event);
    if (!this.pressed) {
      this.choose(this.nearest(...here));
      return;
    }
    this.choose(null);
    const [x, y, width, height] = this.boxed(here);
    this.over.replaceChildren();
    if (width > LEAST_DRAG) svg('rect', { class: 'box', x, y, width, height }, this.over);
  }

  release(event) {
    if (!this.pressed) return;
    const [x, y, width, height] = this.boxed(this.at(event));
    this.forget();
    if (width <= LEAST_DRAG) return;
    this.look([this.x.value(x), this.x.value(x + width)], [this.y.value(y + height), this.y.value(y)]);
  }

  forget() {
    this.pressed = null;
    this.over.replaceChildren();
  }

  // The dragged box inside the axes; one that is flat takes the whole height.
  boxed([left, top]) {
    const keep = (value, [one, other]) => Math.min(Math.max(value, Math.min(one, other)), Math.max(one, other));
    const [x0, x1] = [this.pressed[0], left].map((value) => keep(value, this.x.range)).sort((a, b) => a - b);
    let [y0, y1] = [this.pressed[1], top].map((value) => keep(value, this.y.range)).sort((a, b) => a - b);
    if (y1 - y0 < 3 * LEAST_DRAG) [y1, y0] = this.y.range;
    return [x0, y0, x1 - x0, y1 - y0];
  }

  // Keyboard

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowRight: () => this.along(1),
      ArrowLeft: () => this.along(-1),
      ArrowUp: () => this.across(-1),
      ArrowDown: () => this.across(1),
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      0: () => this.showAll(),
      Escape: () => this.choose(null),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
    if (this.chosen) this.live.textContent = this.told(this.chosen).join(', ');
  }

  along(step) {
    const points = [...this.points()];
    if (!points.length) return;
    if (!this.chosen) {
      this.reveal(this.nearest(this.x.range[0], this.y.range[1]) ?? points[0]);
      return;
    }
    const [index, place] = this.chosen;
    const same = points.filter((point) => point[0] === index);
    const now = same.findIndex((point) => point[1] === place);
    this.reveal(same[Math.min(Math.max(now + step, 0), same.length - 1)]);
  }

  across(step) {
    if (!this.chosen) {
      this.along(0);
      return;
    }
    const present = [...new Set([...this.points()].map((point) => point[0]))];
    const index = present[(present.indexOf(this.chosen[0]) + step + present.length) % present.length];
    const here = this.pixels(this.chosen);
    const points = [...this.points()].filter((point) => point[0] === index);
    const distance = (point) => Math.abs(this.pixels(point)[0] - here[0]);
    this.reveal(points.reduce((best, point) => (distance(point) < distance(best) ? point : best)));
  }

  // A point outside the view brings the view along.
  reveal(point) {
    const moved = [this.x, this.y].map((scale, axis) => {
      const at = this.pixels(point)[axis];
      const [low, high] = [Math.min(...scale.range), Math.max(...scale.range)];
      const shift = at < low ? at - low : at > high ? at - high : 0;
      return shift ? scale.range.map((end) => scale.value(end + shift)) : scale.domain;
    });
    this.chosen = point;
    this.look(...moved);
  }
}

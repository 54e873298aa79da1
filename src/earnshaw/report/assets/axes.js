// Scales from values to pixels, and the values at which an axis has its marks.
class Scale {
  constructor(isLog, domain, range) {
    Object.assign(this, { isLog, domain, range });
  }

  static inner(value, isLog) {
    return isLog ? Math.log10(value) : value;
  }

  usable(value) {
    return isNumber(value) && (!this.isLog || value > 0);
  }

  pixel(value) {
    const [low, high] = this.domain.map((end) => Scale.inner(end, this.isLog));
    const part = (Scale.inner(value, this.isLog) - low) / (high - low);
    return this.range[0] + part * (this.range[1] - this.range[0]);
  }

  value(pixel) {
    const [low, high] = this.domain.map((end) => Scale.inner(end, this.isLog));
    const inner = low + ((pixel - this.range[0]) / (this.range[1] - this.range[0])) * (high - low);
    return this.isLog ? 10 ** inner : inner;
  }

  ticks(count) {
    return this.isLog ? logTicks(...this.domain, count) : linearTicks(...this.domain, count);
  }
}

// The ends of an axis around values, with a little room; a single value gets room of its own.
function around(values, isLog, room = 0.04) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!isNumber(value) || (isLog && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return isLog ? [0.1, 10] : [0, 1];
  let [a, b] = [low, high].map((end) => Scale.inner(end, isLog));
  const smallest = isLog ? 0.5 : Math.abs(a) * 1e-9 || 1;
  const margin = b - a > smallest * 1e-3 ? (b - a) * room : smallest;
  [a, b] = [a - margin, b + margin];
  return isLog ? [10 ** a, 10 ** b] : [a, b];
}

function linearTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const first = Math.ceil(low / step);
  const ticks = [];
  for (let n = first; n * step <= high + step * 1e-9 && ticks.length < 100; n += 1) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

function logTicks(low, high, count) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (last - first >= 1) {
    const stride = Math.max(1, Math.ceil((last - first + 1) / Math.max(2, count)));
    const decades = [];
    for (let n = Math.ceil(first / stride) * stride; n <= last; n += stride) decades.push(10 ** n);
    // Where there is room, the steps between few decades are marked too.
    if (decades.length >= 2 && (stride > 1 || 3 * decades.length > count + 3)) return decades;
  }
  const ticks = [];
  for (let n = first - 1; n <= last + 1; n += 1) {
    for (const factor of [1, 2, 5]) {
      const tick = Number((factor * 10 ** n).toPrecision(12));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks.length >= 2 ? ticks : linearTicks(low, high, count);
}

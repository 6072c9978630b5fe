/** Transforms in place, forwards or back; the length is a power of two. */
export function transform(real, imaginary, isBack = false) {
  const { length } = real;
  for (let at = 1, mirrored = 0; at < length; at += 1) {
    let bit = length >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (at >= mirrored) continue;
    [real[at], real[mirrored]] = [real[mirrored], real[at]];
    [imaginary[at], imaginary[mirrored]] = [imaginary[mirrored], imaginary[at]];
  }
  for (let size = 2; size <= length; size *= 2) butterflies(real, imaginary, size, ((isBack ? 2 : -2) * Math.PI) / size);
  if (!isBack) return;
  for (let at = 0; at < length; at += 1) {
    real[at] /= length;
    imaginary[at] /= length;
  }
}

function butterflies(real, imaginary, size, angle) {
  const half = size / 2;
  const cosines = Float64Array.from({ length: half }, (_, step) => Math.cos(angle * step));
  const sines = Float64Array.from({ length: half }, (_, step) => Math.sin(angle * step));
  for (let from = 0; from < real.length; from += size) {
    for (let step = 0; step < half; step += 1) {
      const [one, other] = [from + step, from + step + half];
      const r = real[other] * cosines[step] - imaginary[other] * sines[step];
      const i = real[other] * sines[step] + imaginary[other] * cosines[step];
      real[other] = real[one] - r;
      imaginary[other] = imaginary[one] - i;
      real[one] += r;
      imaginary[one] += i;
    }
  }
}

/** Sums of products of `snippet` with `whole` at every lag from 0 on at which it lies inside. */
export function crossCorrelation(snippet, whole) {
  const length = 2 ** Math.ceil(Math.log2(whole.length + snippet.length));
  const [wr, wi, sr, si] = Array.from({ length: 4 }, () => new Float64Array(length));
  wr.set(whole);
  sr.set(snippet);
  transform(wr, wi);
  transform(sr, si);
  for (let at = 0; at < length; at += 1) {
    const [r, i] = [wr[at] * sr[at] + wi[at] * si[at], wi[at] * sr[at] - wr[at] * si[at]];
    wr[at] = r;
    wi[at] = i;
  }
  transform(wr, wi, true);
  return wr.subarray(0, Math.max(0, whole.length - snippet.length + 1));
}

/**
 * Band-limited interpolation with a windowed sinc (J. O. Smith, "Digital Audio Resampling", https://ccrma.stanford.edu/~jos/resample/).
 * SoundTouch's own transposer interpolates linearly, which aliases when the pitch is raised.
 */
const ZERO_CROSSINGS = 8;
const STEPS_PER_CROSSING = 256;
const KAISER_BETA = 8;
const KERNEL_LENGTH = ZERO_CROSSINGS * STEPS_PER_CROSSING;
const MAX_RATE = 2;

/** Frames that the kernel reaches to either side at the highest rate. */
export const REACH = ZERO_CROSSINGS * MAX_RATE;
const RING = 4 * REACH;
const MASK = RING - 1;

const kernel = createKernel();

/** Reads pushed frames at another rate: 2 is an octave up. The frame at `phase` 0 is the one pushed `REACH` frames ago. */
export class Resampler {
  rate = 1;
  /** Position of the next output after the centre frame. At 1 or more, another frame must be pushed first. */
  phase = 0;
  private readonly left = new Float32Array(RING);
  private readonly right = new Float32Array(RING);
  private newest = 0;
  private sumLeft = 0;
  private sumRight = 0;

  push(left: number, right: number): void {
    this.newest = (this.newest + 1) & MASK;
    this.left[this.newest] = left;
    this.right[this.newest] = right;
  }

  /** Writes one frame and moves on. */
  write(left: Float32Array, right: Float32Array, at: number): void {
    // When the rate is raised, the kernel gets wider, so that it passes only what fits below half the output rate.
    const scale = this.rate > 1 ? 1 / this.rate : 1;
    this.sumLeft = 0;
    this.sumRight = 0;
    const centre = this.newest - REACH;
    this.addWing(centre, -1, { from: this.phase * scale * STEPS_PER_CROSSING, step: scale * STEPS_PER_CROSSING });
    this.addWing(centre + 1, 1, { from: (1 - this.phase) * scale * STEPS_PER_CROSSING, step: scale * STEPS_PER_CROSSING });
    left[at] = this.sumLeft * scale;
    right[at] = this.sumRight * scale;
    this.phase += this.rate;
  }

  /** Frames at one side of the output, weighted by the kernel at their distance. */
  private addWing(first: number, direction: 1 | -1, { from, step }: { readonly from: number; readonly step: number }): void {
    let index = first & MASK;
    for (let distance = from; distance < KERNEL_LENGTH; distance += step) {
      const whole = distance | 0;
      const low = kernel[whole] ?? 0;
      const weight = low + (distance - whole) * ((kernel[whole + 1] ?? 0) - low);
      this.sumLeft += weight * (this.left[index] ?? 0);
      this.sumRight += weight * (this.right[index] ?? 0);
      index = (index + direction) & MASK;
    }
  }

  clear(): void {
    this.left.fill(0);
    this.right.fill(0);
    this.phase = 0;
  }
}

function createKernel(): Float32Array {
  const samples = new Float32Array(KERNEL_LENGTH + 2);
  const middle = bessel(KAISER_BETA);
  for (let step = 0; step < KERNEL_LENGTH; step++) {
    const x = step / STEPS_PER_CROSSING;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    samples[step] = (sinc * bessel(KAISER_BETA * Math.sqrt(1 - (x / ZERO_CROSSINGS) ** 2))) / middle;
  }
  return samples;
}

/** Modified Bessel function of the first kind and order 0, by its power series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

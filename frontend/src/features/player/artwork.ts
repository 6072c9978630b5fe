import { columnsOf, type TimedPeaks } from '../../shared/wave/peaks';
import { drawWave, readWaveColours } from '../../shared/wave/wave-drawing';

/** Edge lengths in pixels, from a notification to a lock screen. */
const SIZES = [96, 192, 256, 384, 512];
/** Free space on each side, and from the zero line to full scale; fractions of the edge. */
const MARGIN = 0.08;
const REACH = 0.36;

function draw(size: number, peaks: TimedPeaks): HTMLCanvasElement | null {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const root = document.documentElement;
  context.fillStyle = getComputedStyle(root).getPropertyValue('--well').trim();
  context.fillRect(0, 0, size, size);
  const margin = Math.round(size * MARGIN);
  const width = size - 2 * margin;
  context.translate(margin, 0);
  const columns = columnsOf(peaks, { start: 0, end: peaks.data.columns / peaks.columnsPerSecond }, width);
  drawWave(context, {
    columns,
    runs: [{ from: 0, to: width, mark: null }],
    box: { height: size, reach: size * REACH },
    colours: readWaveColours(root),
    isPlayed: true,
  });
  return canvas;
}

const pngOf = (canvas: HTMLCanvasElement): Promise<Blob | null> => new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));

/** The waveform as square pictures. Revoke their URLs after use. */
export async function drawArtwork(peaks: TimedPeaks): Promise<readonly MediaImage[]> {
  const images: MediaImage[] = [];
  for (const size of SIZES) {
    const canvas = draw(size, peaks);
    const png = canvas && (await pngOf(canvas));
    if (png) images.push({ src: URL.createObjectURL(png), sizes: `${size}x${size}`, type: 'image/png' });
  }
  return images;
}

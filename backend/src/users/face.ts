import { clothesPaths, frontHair, backHair, hat, type Dye } from './face-shapes.js';

const skins = ['#f6d7c0', '#efc4a2', '#e2ad84', '#cf9468', '#b57a50', '#935d3b', '#754730', '#573424'];
const grounds = ['#4f5d4a', '#3f5a63', '#5c4a5e', '#6b5433', '#3d4868', '#71473f', '#3c5c52', '#5a5550', '#7a6339', '#4a4f75', '#684458', '#35566f'];
const cloths = ['#d8c7a3', '#b4512f', '#2c3035', '#7f92b5', '#d9a441', '#3f5e57', '#8e4a5f', '#e8e2d4', '#55683f', '#46506f', '#c98a6a', '#6c5b7b'];
const naturalDyes = ['#17120f', '#2b1b13', '#43291a', '#63412a', '#8a5a33', '#b98546', '#d8b26a', '#a4482a', '#9b9992', '#d9d6cd'];
const boldDyes = ['#7fae9f', '#b0627c', '#5a6fa8', '#c77f3a'];
const felts = ['#a8442f', '#3b3f46', '#c99a3d', '#4d6b62', '#6a5578', '#d7cdb8', '#2f4a63'];

/** A number generator seeded by a uid (FNV-1a, then xorshift), so that each feature is independent of the others. */
const pickerFor = (uid: string): ((count: number) => number) => {
  let state = 0x811c9dc5;
  for (const letter of uid) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  state = state || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let warmUp = 0; warmUp < 8; warmUp++) next();
  return (count) => Math.floor((next() / 4_294_967_296) * count);
};

const oneOf = <T>(list: readonly T[], pick: (count: number) => number, otherwise: T): T => list[pick(list.length)] ?? otherwise;

const channel = (colour: string, from: number): number => Number.parseInt(colour.slice(from, from + 2), 16);

/** Mixes two colours of the form #rrggbb; `share` is the part of the second. */
const blend = (first: string, second: string, share: number): string => {
  return `#${[1, 3, 5]
    .map((from) =>
      Math.round(channel(first, from) * (1 - share) + channel(second, from) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
};

const frame = (ground: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" fill="${ground}"/>${body}</svg>`;

/** The one style that would stick out of a hat. */
const BUN = 8;

type Look = { skin: string; dye: Dye; ground: string; cloth: string };

const lookOf = (pick: (count: number) => number, bearded: boolean): Look => {
  const skin = oneOf(skins, pick, '#e2ad84');
  const dye = pick(9) === 0 && !bearded ? oneOf(boldDyes, pick, '#7fae9f') : oneOf(naturalDyes, pick, '#2b1b13');
  const ground = oneOf(grounds, pick, '#3f5a63');
  return { skin, dye: { base: dye, shade: blend(dye, '#000000', 0.24) }, ground, cloth: oneOf(cloths, pick, '#d8c7a3') };
};

const head = (skin: string, jaw: number): string => {
  const shade = blend(skin, '#6b2a1a', 0.28);
  const chin = [45.6, 46.6, 44.8][jaw] ?? 45.6;
  const wide = [11.4, 10.8, 12][jaw] ?? 11.4;
  const [left, right] = [32 - wide, 32 + wide];
  return `<path d="M26.6 38H37.4V47.6C37.4 51.8 26.6 51.8 26.6 47.6Z" fill="${skin}"/><path d="M26.6 42.6C29.8 46.4 34.2 46.4 37.4 42.6V45.4C34.6 48.6 29.4 48.6 26.6 45.4Z" fill="${shade}" opacity=".55"/><circle cx="${left}" cy="31.4" r="2.7" fill="${shade}"/><circle cx="${right}" cy="31.4" r="2.7" fill="${shade}"/><path d="M${left} 27C${left} 19 26.6 15 32 15S${right} 19 ${right} 27V33C${right} 40 37 ${chin} 32 ${chin}S${left} 40 ${left} 33Z" fill="${skin}"/>`;
};

const features = (skin: string, brow: string, mood: number): string => {
  const ink = blend(skin, '#1c1210', 0.82);
  const lip = blend(skin, '#7a2a22', 0.5);
  const cheek = blend(skin, '#c4503c', 0.24);
  const mouths = [
    `<path d="M28.6 39.2C30.4 41.2 33.6 41.2 35.4 39.2" fill="none" stroke="${lip}" stroke-width="1.5" stroke-linecap="round"/>`,
    `<path d="M28.2 38.6H35.8C35.4 41.8 33.8 42.8 32 42.8S28.6 41.8 28.2 38.6Z" fill="#fff6ec"/><path d="M28.2 38.6H35.8" stroke="${lip}" stroke-width="1" stroke-linecap="round"/>`,
    `<path d="M29.2 39.8C31 40.8 33.6 40.4 35 38.8" fill="none" stroke="${lip}" stroke-width="1.5" stroke-linecap="round"/>`,
  ];
  const eyes =
    mood === 3
      ? `<path d="M25.2 31.6C26.2 30 28.2 30 29.2 31.6M34.8 31.6C35.8 30 37.8 30 38.8 31.6" fill="none" stroke="${ink}" stroke-width="1.5" stroke-linecap="round"/>`
      : `<circle cx="27.2" cy="31.2" r="1.45" fill="${ink}"/><circle cx="36.8" cy="31.2" r="1.45" fill="${ink}"/>`;
  return `<circle cx="24.6" cy="36" r="2.3" fill="${cheek}"/><circle cx="39.4" cy="36" r="2.3" fill="${cheek}"/><path d="M24.6 27.6C26 26.6 28 26.5 29.5 27.2M34.5 27.2C36 26.5 38 26.6 39.4 27.6" fill="none" stroke="${brow}" stroke-width="1.4" stroke-linecap="round"/>${eyes}<path d="M32 31.5C32.2 33.2 33 34.4 33 35.2C33 36 31.8 36.2 31 35.9" fill="none" stroke="${blend(skin, '#6b2a1a', 0.4)}" stroke-width="1.1" stroke-linecap="round"/>${mouths[mood % 3] ?? ''}`;
};

const beards = (dye: Dye, style: number): string => {
  if (style === 0)
    return `<path d="M20.7 30C21.6 34 22.6 35.6 25.4 36C28.4 36.2 30 36.8 32 36.8S35.6 36.2 38.6 36C41.4 35.6 42.4 34 43.3 30C44.2 42 39.4 48.6 32 48.6S19.8 42 20.7 30ZM28.4 39.4C29.4 42 34.6 42 35.6 39.4C33.4 38.8 30.6 38.8 28.4 39.4Z" fill="${dye.base}" fill-rule="evenodd"/>`;
  if (style === 1)
    return `<path d="M26.6 38.6C28 36.8 30.8 36.4 32 37.3C33.2 36.4 36 36.8 37.4 38.6C35.4 38.5 33.4 38.4 32 38.4S28.6 38.5 26.6 38.6Z" fill="${dye.base}"/>`;
  return `<path d="M28.6 43.2C30.4 42.4 33.6 42.4 35.4 43.2C35.4 46.6 34 48 32 48S28.6 46.6 28.6 43.2Z" fill="${dye.base}"/><path d="M27 38.5C28.6 36.9 30.8 36.6 32 37.3C33.2 36.6 35.4 36.9 37 38.5C35 38.4 33.4 38.3 32 38.3S29 38.4 27 38.5Z" fill="${dye.base}"/>`;
};

const glasses = (style: number): string => {
  const lens =
    [
      '<circle cx="27" cy="31.3" r="4.3"/><circle cx="37" cy="31.3" r="4.3"/>',
      '<rect x="22.4" y="27.8" width="8.8" height="6.8" rx="2"/><rect x="32.8" y="27.8" width="8.8" height="6.8" rx="2"/>',
    ][style % 2] ?? '';
  const colour = style < 2 ? '#1d1b1a' : '#b08a3e';
  return `<g fill="#fff" fill-opacity=".14" stroke="${colour}" stroke-width="1.5">${lens}<path d="M31.2 30.8H32.8M22.6 30.4L20.4 30M41.4 30.4L43.6 30" fill="none"/></g>`;
};

/** A portrait derived from a uid, for users without a photo: an SVG of 64 by 64 without text, scripts or external references; the same uid gives the same face. */
export const faceSvg = (uid: string): string => {
  const pick = pickerFor(uid);
  const style = pick(12);
  const bearded = style < 6 && pick(5) < 2;
  const { skin, dye, ground, cloth } = lookOf(pick, bearded);
  const beard = bearded ? beards(dye, pick(3)) : '';
  const spectacles = pick(10) < 3 ? glasses(pick(4)) : '';
  const felt = pick(8) === 0 ? hat(oneOf(felts, pick, '#3b3f46'), pick(3)) : '';
  const body = [
    felt !== '' && style === BUN ? '' : backHair(style, dye),
    clothesPaths(cloth, blend(cloth, '#000000', 0.22), pick(5)),
    head(skin, pick(3)),
    features(skin, blend(dye.base, '#3a2418', 0.35), pick(4)),
    beard,
    felt === '' ? frontHair(style, dye) : frontHair(-1, dye),
    felt,
    spectacles,
  ];
  return frame(ground, body.join(''));
};

/** A neutral face, for unknown and removed users. */
export const defaultFaceSvg = (): string =>
  frame(
    '#55534e',
    '<path d="M8 66C8 53 19 47.4 32 47.4S56 53 56 66Z" fill="#8b8880"/><path d="M26.6 38H37.4V47.6C37.4 51.8 26.6 51.8 26.6 47.6Z" fill="#a5a299"/><ellipse cx="32" cy="30" rx="11.6" ry="14.6" fill="#b7b4ab"/>',
  );

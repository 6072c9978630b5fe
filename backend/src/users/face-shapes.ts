/** A hair colour and its darker tone for the parts behind the head. */
export type Dye = { base: string; shade: string };

/** Twelve hair styles; the first six are short. Hair behind the neck is drawn before the clothes. */
export const backHair = (style: number, { base, shade }: Dye): string => {
  if (style === 5) return `<circle cx="32" cy="26" r="17.4" fill="${base}"/>`;
  if (style === 6) return `<path d="M17 30C14.5 8 49.5 8 47 30C46.6 40 49 45 51 52H13C15 45 17.4 40 17 30Z" fill="${shade}"/>`;
  if (style === 7) return `<path d="M17.4 30C15.4 9 48.6 9 46.6 30L47.2 42.4H16.8Z" fill="${shade}"/>`;
  if (style === 8) return `<circle cx="32" cy="9" r="6.4" fill="${shade}"/>`;
  if (style === 9) return `<path d="M36 16C47 15 51.4 27 49.4 37C48.6 42 46 46 42.6 52C40.4 47 40.6 42 42 37Z" fill="${shade}"/>`;
  if (style === 10)
    return curls(shade, [
      [18, 24, 6],
      [16, 31, 6],
      [16.4, 38, 5.8],
      [46, 24, 6],
      [48, 31, 6],
      [47.6, 38, 5.8],
      [20, 43, 5],
      [44, 43, 5],
    ]);
  if (style === 11)
    return `<path d="M20 34C17 38 16 46 18 55H23C21 47 22 40 24 36ZM44 34C47 38 48 46 46 55H41C43 47 42 40 40 36Z" fill="${shade}"/><path d="M17.6 46H22.6V48.6H17.8ZM41.4 46H46.4L46.2 48.6H41.4Z" fill="#d9a441"/>`;
  return '';
};

const curls = (colour: string, list: readonly (readonly [x: number, y: number, radius: number])[]): string =>
  `<g fill="${colour}">${list.map(([x, y, radius]) => `<circle cx="${x}" cy="${y}" r="${radius}"/>`).join('')}</g>`;

const topCurls: readonly (readonly [number, number, number])[] = [
  [22.4, 20.6, 4.4],
  [26, 16.4, 5],
  [32, 14.6, 5.4],
  [38, 16.4, 5],
  [41.6, 20.6, 4.4],
  [29, 19, 4],
  [35, 19, 4],
  [20.8, 25.4, 2.9],
  [43.2, 25.4, 2.9],
];

const fringes = [
  'M20 29C17.6 8.6 46.4 8.6 44 29C43 24.6 41.8 22.6 40.4 21.6C35 22.8 28.6 21.8 25.2 19.6C22.8 21.6 21 24.6 20.2 29Z',
  'M20.2 28C18 9.4 46 9.4 43.8 28C42.6 22.6 38.6 20.4 32 20.4S21.4 22.6 20.4 28Z',
  'M20.2 29.6C18 17 24 11.6 31 12.2C37 9.8 46.8 14 43.8 29.6C43.4 25.4 42.4 23 40.6 21.4C34 21.6 28 19.6 26.4 17.6C25 21.6 21.4 24 20.2 29.6Z',
  'M20.3 27C19.6 18.6 25 14.1 32 14.1S44.4 18.6 43.7 27C42.4 22.2 39 19.6 32 19.6S21.6 22.2 20.6 27Z',
];

/** Hair over the forehead; under a hat (style -1) only at the temples. */
export const frontHair = (style: number, { base }: Dye): string => {
  const path = (shape: string | undefined) => (shape ? `<path d="${shape}" fill="${base}"/>` : '');
  if (style === -1)
    return path('M20.3 24H23.4C22.2 26.4 21.4 28.6 20.8 31.6C20.2 29 20 26.4 20.3 24ZM43.7 24H40.6C41.8 26.4 42.6 28.6 43.2 31.6C43.8 29 44 26.4 43.7 24Z');
  if (style < 4) return path(fringes[style]);
  if (style === 4 || style === 10) return curls(base, topCurls);
  if (style === 5) return path('M20 30C18.6 18 24 12.6 32 12.6S45.4 18 44 30C42.4 24 39 22 32 22S21.6 24 20.4 30Z');
  if (style === 6) return path('M19.4 33C16.6 13 27 10.6 34 12.6C42.6 11 47.2 17 44.6 33C43.4 26.6 41 22.6 35.4 19C31 23.6 21.6 24 19.6 33Z');
  if (style === 7) return path('M19.4 32C16.6 7.4 47.4 7.4 44.6 32L43.4 25.4H20.6Z');
  if (style === 8 || style === 9) return path('M20 28.6C17.6 8.4 46.4 8.4 44 28.6C42 22.4 38 19.4 32 19.2C26 19.4 22 22.4 20.2 28.6Z');
  return path('M19.6 32C16.8 7.4 47.2 7.4 44.4 32C43.6 25 39 21.4 32 16.8C25 21.4 20.4 25 19.8 32Z');
};

/** Shoulders with five cuts: round neck, collar, hood, ribbed jumper, open jacket. */
export const clothesPaths = (cloth: string, shade: string, cut: number): string => {
  const body = `<path d="M7 66C7 53 18 47.2 32 47.2S57 53 57 66Z" fill="${cloth}"/>`;
  if (cut === 0) return `${body}<path d="M24.4 48.2C26 54.4 38 54.4 39.6 48.2L37.4 47.6H26.6Z" fill="${shade}"/>`;
  if (cut === 1) return `${body}<path d="M25.6 46.4L32 54.6L26 59L21 49.4ZM38.4 46.4L32 54.6L38 59L43 49.4Z" fill="${shade}"/>`;
  if (cut === 2)
    return `<path d="M17 52C17 42 47 42 47 52L42 57H22Z" fill="${shade}"/>${body}<path d="M28 53V60M36 53V60" stroke="${shade}" stroke-width="1.4" stroke-linecap="round"/>`;
  if (cut === 3) return `${body}<path d="M25 44.6H39L40.2 51.6C36 54 28 54 23.8 51.6Z" fill="${shade}"/>`;
  return `<path d="M22 48.6H42L38 66H26Z" fill="#ece6da"/><path d="M7 66C7 54 15 49.4 25 47.8L31 66ZM57 66C57 54 49 49.4 39 47.8L33 66Z" fill="${cloth}"/><path d="M25 47.8L20.6 55L27.6 58.6ZM39 47.8L43.4 55L36.4 58.6Z" fill="${shade}"/>`;
};

/** A woollen hat, a cap or a brimmed hat. */
export const hat = (felt: string, kind: number): string => {
  if (kind === 0)
    return `<path d="M19.4 22.6C18.6 6.4 45.4 6.4 44.6 22.6Z" fill="${felt}"/><rect x="18.2" y="19.6" width="27.6" height="5.6" rx="2.6" fill="${felt}"/><rect x="18.2" y="19.6" width="27.6" height="5.6" rx="2.6" fill="#000" opacity=".2"/>`;
  if (kind === 1)
    return `<path d="M20 23C19 7.6 45 7.6 44 23Z" fill="${felt}"/><path d="M19.6 22.4C27 20 40 20 50.6 24.6C51.4 26.2 50 26.6 48.4 26.2C39 24.4 27 24.2 19.6 25Z" fill="${felt}"/><path d="M19.6 22.4C27 20 40 20 50.6 24.6C51.4 26.2 50 26.6 48.4 26.2C39 24.4 27 24.2 19.6 25Z" fill="#000" opacity=".25"/>`;
  return `<path d="M22 21C22 9 27 7.6 32 9.6C37 7.6 42 9 42 21Z" fill="${felt}"/><path d="M22 17.6H42V21.4H22Z" fill="#000" opacity=".3"/><ellipse cx="32" cy="22.2" rx="18.6" ry="3.5" fill="${felt}"/>`;
};

import type { Song } from '../score/song.js';
import { firstLight } from './first-light.js';
import { lowTide } from './low-tide.js';
import { nineVolt } from './nine-volt.js';
import { paperMoon } from './paper-moon.js';

export const songs = { 'low-tide': lowTide, 'paper-moon': paperMoon, 'nine-volt': nineVolt, 'first-light': firstLight } satisfies Record<string, Song>;

export type SongName = keyof typeof songs;

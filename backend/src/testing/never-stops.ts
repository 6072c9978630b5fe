import { Injectable, Module } from '@nestjs/common';
import type { BackgroundLoop } from '../platform/reactors/background-loop.js';
import { composeSlices, type Slices } from '../platform/slice.js';
import { slices } from '../slices.js';

@Injectable()
class NeverStops implements BackgroundLoop {
  readonly name = 'never-stops';
  start = (): Promise<void> => Promise.resolve();
  stop = (): Promise<void> => Promise.reject(new Error('cannot close'));
}

@Module({ providers: [NeverStops], exports: [NeverStops] })
class Stubborn {}

/** The program's slices and one with a loop that cannot be stopped. */
export const withNeverStops = (): Slices =>
  composeSlices([...slices.manifests, { name: 'stubborn', load: () => Promise.resolve({ parts: { module: Stubborn, loops: [NeverStops] } }) }]);

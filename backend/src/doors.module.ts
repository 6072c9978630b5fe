import { type DynamicModule, Module } from '@nestjs/common';
import type { LoadedSlice } from './platform/slice.js';

/** What slices export to each other: their queries, and the classes that write to their streams. */
@Module({})
export class DoorsModule {
  static of(slices: readonly LoadedSlice[]): DynamicModule {
    const doors = slices.flatMap(({ doors: shown = [] }) => [...shown]);
    return { module: DoorsModule, global: true, providers: doors, exports: doors };
  }
}

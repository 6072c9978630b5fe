import { type DynamicModule, Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AuthChores } from './platform/auth/auth.chores.js';
import { ReactorRole } from './platform/reactors/reactor-role.js';
import { type ChoreSource, type LoadedSlice, refuseDuplicates, type SliceParts } from './platform/slice.js';

const LOADED = Symbol('LoadedSlices');

/** What each list of a slice's parts provides. */
type Provided = { readonly [List in 'reactors' | 'loops' | 'timers' | 'chores']: InstanceType<NonNullable<SliceParts[List]>[number]> };

/** Background work that one process at a time does: the slices' reactors, loops, timers and chores, and the platform's chores. */
@Module({})
export class ReactingModule implements OnApplicationBootstrap, OnModuleDestroy {
  /** Imports the slices' modules, so that these have started before the first reaction. */
  static of(slices: readonly LoadedSlice[]): DynamicModule {
    return { module: ReactingModule, imports: slices.map(({ module }) => module), providers: [{ provide: LOADED, useValue: slices }, AuthChores] };
  }

  constructor(
    private readonly role: ReactorRole,
    private readonly modules: ModuleRef,
    @Inject(LOADED) private readonly slices: readonly LoadedSlice[],
    private readonly authChores: AuthChores,
  ) {}

  /** @throws SliceConflict for two reactors of one name, which would share a checkpoint, and for two handlers of one kind of timer */
  async onApplicationBootstrap(): Promise<void> {
    const reactors = this.provided('reactors', ({ name }) => name);
    for (const loop of this.provided('loops', ({ name }) => name)) this.role.beside(loop);
    const timers = this.provided('timers', ({ kind }) => kind);
    const sources: readonly ChoreSource[] = [this.authChores, ...this.provided('chores')];
    await this.role.start({ reactors, timers, chores: sources.flatMap((source) => source.chores()) });
  }

  /** Before the server waits for its connections: an analysis ends with its process, and the next process that reacts repeats it. */
  async onModuleDestroy(): Promise<void> {
    await this.role.stop();
  }

  /** The providers that the slices list, with names that must be unique. */
  private provided<List extends keyof Provided>(list: List, nameOf?: (provider: Provided[List]) => string): readonly Provided[List][] {
    const found = this.slices.flatMap((slice) =>
      (slice[list] ?? []).map((type) => [this.modules.get<Provided[List]>(type as Type<Provided[List]>, { strict: false }), slice.name] as const),
    );
    if (nameOf !== undefined)
      refuseDuplicates(
        list,
        found.map(([provider, owner]) => [nameOf(provider), owner]),
      );
    return found.map(([provider]) => provider);
  }
}

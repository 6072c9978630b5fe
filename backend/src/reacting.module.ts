import { type DynamicModule, Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AuthChores } from './platform/auth/auth.chores.js';
import { ReactorRole } from './platform/reactors/reactor-role.js';
import { type ChoreSource, type LoadedSlice, refuseDuplicates } from './platform/slice.js';

const LOADED = Symbol('LoadedSlices');

/** Background work that one process at a time does: the slices' reactors and chores, and the platform's chores. */
@Module({})
export class ReactingModule implements OnApplicationBootstrap, OnModuleDestroy {
  /** Imports the slices' modules, so that these have started before the first reaction. */
  static of(slices: readonly LoadedSlice[]): DynamicModule {
    const imports = slices.filter(({ reactors, chores }) => reactors !== undefined || chores !== undefined).map(({ module }) => module);
    return { module: ReactingModule, imports, providers: [{ provide: LOADED, useValue: slices }, AuthChores] };
  }

  constructor(
    private readonly role: ReactorRole,
    private readonly modules: ModuleRef,
    @Inject(LOADED) private readonly slices: readonly LoadedSlice[],
    private readonly authChores: AuthChores,
  ) {}

  /** @throws SliceConflict for two reactors of one name: they would share a checkpoint */
  async onApplicationBootstrap(): Promise<void> {
    const reactors = this.slices.flatMap(({ name, reactors: types = [] }) => types.map((type) => ({ slice: name, reactor: this.provided(type) })));
    refuseDuplicates(
      'reactor',
      reactors.map(({ slice, reactor }) => [reactor.name, slice]),
    );
    const sources: readonly ChoreSource[] = [this.authChores, ...this.slices.flatMap(({ chores = [] }) => chores.map((type) => this.provided(type)))];
    await this.role.start({ reactors: reactors.map(({ reactor }) => reactor), chores: sources.flatMap((source) => source.chores()) });
  }

  /** Before the server waits for its connections: an analysis ends with its process, and the next process that reacts repeats it. */
  async onModuleDestroy(): Promise<void> {
    await this.role.stop();
  }

  private provided<Provider>(type: abstract new (...parts: never[]) => Provider): Provider {
    return this.modules.get<Provider>(type, { strict: false });
  }
}

import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Chores } from './chores.js';
import { AnalyseVersionWhenAdded } from './media/analyse-version-when-added.reactor.js';
import { MediaModule } from './media/media.module.js';
import { TrashFilesWhenRemoved } from './media/trash-files-when-removed.reactor.js';
import { ReactorRole } from './platform/reactors/reactor-role.js';
import { UsersModule } from './users/users.module.js';

/** Everything that the program does of its own accord, in one process at a time: the list of reactors, and the chores. */
@Module({ imports: [MediaModule, UsersModule], providers: [Chores] })
export class ReactingModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly role: ReactorRole,
    private readonly chores: Chores,
    private readonly analyse: AnalyseVersionWhenAdded,
    private readonly trashFiles: TrashFilesWhenRemoved,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const chores = this.role.isAlone ? this.chores.sweeps() : [...this.chores.beginnings(), ...this.chores.sweeps()];
    await this.role.start({ reactors: [this.analyse, this.trashFiles], chores });
  }

  /** Before the server waits for its connections: an analysis ends with its process, and is done again by whoever reacts next. */
  async onModuleDestroy(): Promise<void> {
    await this.role.stop();
  }
}

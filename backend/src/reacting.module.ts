import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Chores } from './chores.js';
import { AnalyseVersionWhenAdded } from './media/analyse-version-when-added.reactor.js';
import { DeleteTrashedFiles } from './media/delete-trashed-files.timer.js';
import { MediaModule } from './media/media.module.js';
import { TrashFilesWhenRemoved } from './media/trash-files-when-removed.reactor.js';
import { type Chore, ReactorRole } from './platform/reactors/reactor-role.js';
import { AbandonUnfinishedProject } from './projects/abandon-unfinished-project.timer.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ScheduleAbandonmentWhenCreated } from './projects/schedule-abandonment-when-created.reactor.js';
import { UsersModule } from './users/users.module.js';

/** Everything that one process at a time does in the background: reactors, timers, chores. */
@Module({ imports: [MediaModule, ProjectsModule, UsersModule], providers: [Chores] })
export class ReactingModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly role: ReactorRole,
    private readonly chores: Chores,
    private readonly analyse: AnalyseVersionWhenAdded,
    private readonly trashFiles: TrashFilesWhenRemoved,
    private readonly scheduleAbandonment: ScheduleAbandonmentWhenCreated,
    private readonly abandon: AbandonUnfinishedProject,
    private readonly deleteTrashed: DeleteTrashedFiles,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const beginnings = this.role.isAlone ? [] : this.chores.beginnings();
    const abandonment: Chore = { name: 'timers of unfinished projects', when: 'start', run: () => this.scheduleAbandonment.setMissing() };
    const chores = [...beginnings, ...this.chores.sweeps(), abandonment];
    const reactors = [this.analyse, this.trashFiles, this.scheduleAbandonment];
    await this.role.start({ reactors, timers: [this.abandon, this.deleteTrashed], chores });
  }

  /** Before the server waits for its connections: an analysis is aborted, and repeated by the next process that reacts. */
  async onModuleDestroy(): Promise<void> {
    await this.role.stop();
  }
}

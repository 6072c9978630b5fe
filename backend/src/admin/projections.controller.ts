import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { ProjectionsAnswer, RebuildAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { ProjectorRole } from '../platform/projections/projector-role.js';
import { SecurityLog } from '../platform/security/security-log.js';

@Controller('api/admin/:key/projections')
@AdminKeyOnly()
export class ProjectionsController {
  constructor(
    private readonly projections: ProjectorRole,
    private readonly security: SecurityLog,
  ) {}

  /** The progress of every read model, its parked streams, and running rebuilds. */
  @Get()
  async status(): Promise<ProjectionsAnswer> {
    const [projections, heldBy, others] = await Promise.all([this.projections.status(), this.projections.heldBy(), this.projections.others()]);
    return { projections, ...(heldBy === undefined ? {} : { heldBy, others }) };
  }

  /** Starts to rebuild a read model; the new generation is served once it has caught up. Does nothing while one is being built. */
  @Post(':projector/rebuild')
  @HttpCode(202)
  async rebuild(@Param('projector') projector: string, @Body() _body: EmptyBody): Promise<RebuildAnswer> {
    const generation = await this.projections.rebuild(projector);
    if (generation === null) throw new Refused('projector.not-found');
    this.security.record('readmodels.rebuilt', { target: projector });
    return { projector, generation };
  }
}

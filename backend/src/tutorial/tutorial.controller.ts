import { randomUUID } from 'node:crypto';
import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import { InitializeContentBody } from '@roughmix/contracts/tutorial/tutorial.api.js';
import type { InitializeContentAnswer } from '@roughmix/contracts/tutorial/tutorial.view.js';
import type { FastifyReply } from 'fastify';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import type { Clock } from '../platform/clock.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { CLOCK } from '../platform/tokens.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { Tutorials } from './tutorials.js';

@Controller('api/admin/:key')
@AdminKeyOnly()
export class TutorialController {
  constructor(
    private readonly tutorials: Tutorials,
    private readonly projects: ProjectsQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Gives a user their tutorial project: 201 if it is new, 200 if it exists. */
  @Post('initializeContent')
  async initializeContent(
    @Body() { uid }: InitializeContentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CommandAnswer<InitializeContentAnswer>> {
    const { projectId, position } = await this.tutorials.ensure(uid, { at: this.clock(), correlationId: randomUUID(), causationId: null });
    void reply.status(position === null ? 200 : 201);
    return new CommandAnswer({ project: await this.projects.view(projectId, uid) }, position, false);
  }
}

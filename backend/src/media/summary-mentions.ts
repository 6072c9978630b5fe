import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { storeMentions } from '@roughmix/contracts/shared/mentions.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { UsersQueries } from '../users/users.queries.js';

/** The users that a version's summary mentions. */
@Injectable()
export class SummaryMentions {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  async in(summary: string, projectId: Id, uid: Uid): Promise<readonly Uid[]> {
    const { project } = await this.access.require(projectId, uid);
    const people = await this.users.people(project.memberUids);
    const byName = new Map(project.memberUids.map((member) => [people(member).username.toLowerCase(), member]));
    return storeMentions(summary, (name) => byName.get(name.toLowerCase()) ?? null).uids.filter((other) => other !== uid);
  }
}

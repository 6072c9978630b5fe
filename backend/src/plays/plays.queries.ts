import { Injectable } from '@nestjs/common';
import { mayReadPlays } from '@roughmix/contracts/plays/play.access.js';
import type { PlaysView } from '@roughmix/contracts/plays/play.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { UsersQueries } from '../users/users.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { PLAYS, playsId, type PlaysDocument } from './plays.documents.js';

@Injectable()
export class PlaysQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly versions: VersionsQueries,
    private readonly users: UsersQueries,
  ) {}

  /** @throws Refused `version.not-found`, or `project.not-allowed` for everyone but the project's owner */
  async ofVersion(versionId: Id, uid: Uid): Promise<PlaysView> {
    const { project, who } = await this.versions.require(versionId, uid);
    if (!mayReadPlays(who)) throw new Refused('project.not-allowed');
    const members = [project.ownerUid, ...Object.keys(project.members)];
    const ids = [playsId(versionId), ...members.map((member) => playsId(versionId, member))];
    const [found, people] = await Promise.all([this.reads.getManyById<PlaysDocument>(PLAYS, ids), this.users.people(members)]);
    const total = found.get(playsId(versionId));
    const listeners = members.flatMap((member) => {
      const heard = found.get(playsId(versionId, member));
      return heard === undefined ? [] : [{ user: people(member), plays: heard.plays, seconds: heard.seconds, last: heard.last }];
    });
    return {
      plays: total?.plays ?? 0,
      seconds: total?.seconds ?? 0,
      listeners: listeners.toSorted((one, other) => other.seconds - one.seconds),
    };
  }
}

import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { News } from '../notifications/notifications.queries.js';
import { ProjectOpenings } from '../projects/project-openings.queries.js';

/** These quote what other people have written. */
const QUOTED: ReadonlySet<string> = new Set<News['subject']['kind']>(['todo', 'comment', 'version']);

/** Which notifications a digest tells of. */
@Injectable()
export class DigestNews {
  constructor(private readonly openings: ProjectOpenings) {}

  /** Without posts and versions of projects that the user has not opened since being added: the user who added them could send them any text. */
  filterFor(uid: Uid): (news: News) => Promise<boolean> {
    const known = new Map<Id, Promise<boolean>>();
    return ({ projectId, subject }) => {
      if (projectId === null || !QUOTED.has(subject.kind)) return Promise.resolve(true);
      const hasOpened = known.get(projectId) ?? this.openings.hasOpened(projectId, uid);
      known.set(projectId, hasOpened);
      return hasOpened;
    };
  }
}

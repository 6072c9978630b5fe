import { Inject, Injectable } from '@nestjs/common';
import { mayEditComment } from '@roughmix/contracts/comments/comment.access.js';
import type { NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import { mayAddVersion } from '@roughmix/contracts/projects/project.access.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { mayReplaceVersion } from '@roughmix/contracts/versions/version.access.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { Refused } from '../kernel/refusal.js';
import type { Config } from '../platform/config/config.js';
import { newId } from '../platform/ids.js';
import { CONFIG } from '../platform/tokens.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';

interface ProjectUpload {
  readonly projectId: Id;
  readonly versionId?: Id | undefined;
  readonly commentId?: Id | undefined;
}

/** Whether a user may upload a file: checks the right that the later call needs, and everything known before the bytes arrive. */
@Injectable()
export class UploadRights {
  @Inject(CONFIG)
  private readonly config: Pick<Config, 'AUDIO_LIMIT'>;

  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly versions: VersionsQueries,
    private readonly comments: CommentsQueries,
    private readonly quotas: QuotasQueries,
  ) {}

  /** The id that the upload's version will have, null for an image. @throws Refused if the upload could not be used */
  async check(body: NewUploadBody, uid: Uid): Promise<Id | null> {
    if (body.size === 0) throw new Refused('upload.empty');
    if (body.purpose !== 'version' && body.size > LIMITS.imageBytes) throw new Refused('upload.image-too-large');
    const { AUDIO_LIMIT: limit } = this.config;
    if (body.purpose === 'version' && body.size >= limit) throw new Refused('upload.too-large', { limit });
    if (body.purpose === 'profile-photo' || body.purpose === 'cover-photo') return null;
    const { projectId, versionId, commentId } = body;
    if (projectId === undefined) throw new Refused('request.invalid', { field: 'projectId' });
    return body.purpose === 'version' ? this.forVersion({ projectId, versionId }, uid) : this.forImage({ projectId, commentId }, uid);
  }

  /** Whether a user may have this many bytes in uploads that are not used yet. Pictures of profiles do not count. @throws Refused `quota.bytes` */
  async checkBytes({ purpose }: NewUploadBody, uid: Uid, bytes: number): Promise<void> {
    if (purpose !== 'profile-photo' && purpose !== 'cover-photo') await this.quotas.requireBytes(uid, bytes);
  }

  private async forVersion({ projectId, versionId }: ProjectUpload, uid: Uid): Promise<Id> {
    const { project, who } = await this.access.require(projectId, uid);
    if (!mayAddVersion(who)) throw new Refused('project.not-allowed');
    if (!project.started) return project.firstVersionId;
    if (versionId === undefined) {
      this.quotas.requireVersion(project);
      return newId();
    }
    const { version } = await this.versions.require(versionId, uid, projectId);
    if (!mayReplaceVersion(who, version)) throw new Refused('project.not-allowed');
    if (version.state !== 'rejected') throw new Refused('version.not-rejected');
    return versionId;
  }

  private async forImage({ projectId, commentId }: ProjectUpload, uid: Uid): Promise<null> {
    const { who } = await this.access.require(projectId, uid);
    if (commentId === undefined) throw new Refused('request.invalid', { field: 'commentId' });
    const comment = await this.comments.require(commentId, uid, projectId);
    if (!mayEditComment(who, comment)) throw new Refused('comment.not-yours');
    if (comment.kind !== 'image') throw new Refused('comment.not-found');
    return null;
  }
}

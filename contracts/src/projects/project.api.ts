import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsString } from 'class-validator';
import { NotesChanges } from '../notes/note.api.js';
import { IdField, Line, MaxLength, Nested, NestedList, Optional, Prose } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import type { Visibility } from './project.access.js';

/** A new project. `invitedUsers` are '{uid}-{level}', or bare uids for level 3. */
export class NewProjectSubmission {
  @Line(LIMITS.projectName, 'limit.projectName')
  projectName: string;
  @Optional()
  @Line(LIMITS.tinySummary, 'limit.tinySummary')
  tinySummary?: string;
  @Optional()
  @Prose(LIMITS.description, 'limit.description')
  description?: string;
  @Optional()
  @IsArray()
  @ArrayMaxSize(LIMITS.peopleInOneInvitation)
  @IsString({ each: true })
  @MaxLength(66, { each: true })
  invitedUsers?: string[];
  @Optional()
  @IsBoolean()
  writeAccess?: boolean;
  @Optional()
  @Prose(LIMITS.inviteMessage, 'limit.message')
  message?: string;
}

/** POST /api/projects/newProject */
export class NewProjectBody {
  @Nested(() => NewProjectSubmission)
  submission: NewProjectSubmission;
}

/** What may change under the owner's name: the notes. */
export class OwnerChanges {
  @Nested(() => NotesChanges)
  notes: NotesChanges;
}

/** The owner may change everything, a collaborator the public note. */
export class ProjectChanges {
  @Optional()
  @Line(LIMITS.projectName, 'limit.projectName')
  projectName?: string;
  @Optional()
  @Prose(LIMITS.description, 'limit.description')
  description?: string;
  @Optional()
  @IsIn(['private', 'public'])
  visibility?: Visibility;
  @Optional()
  @IsBoolean()
  completed?: boolean;
  @Optional()
  @Nested(() => OwnerChanges)
  owner?: OwnerChanges;
}

/** PUT /api/projects/{id} */
export class EditProjectBody {
  @Nested(() => ProjectChanges)
  submission: ProjectChanges;
  @Optional()
  @IdField()
  projectId?: string;
}

/** PUT /api/projects/{ownerUid}/inviteUsers/{projectId} */
export class InviteUsersBody {
  @IsArray()
  @ArrayMinSize(1, { context: { code: 'invite.nobody' } })
  @ArrayMaxSize(LIMITS.peopleInOneInvitation)
  @IsString({ each: true })
  @MaxLength(66, { each: true })
  invitedUsers: string[];
  @Optional()
  @Prose(LIMITS.inviteMessage, 'limit.message')
  message?: string;
  @Optional()
  @IsBoolean()
  writeAccess?: boolean;
  @Optional()
  @IdField()
  projectId?: string;
}

export class Permissions {
  @IsBoolean()
  comment: boolean;
  @IsBoolean()
  download: boolean;
}

/** A change to one member: new rights, or removal. */
export class PermissionDiff {
  @IsString()
  @MaxLength(64)
  uid: string;
  @Nested(() => Permissions)
  permissions: Permissions;
  @IsBoolean()
  write: boolean;
  @Optional()
  @IsIn([true])
  removed?: true;
}

/** PUT /api/projects/{ownerUid}/editPermissions/{projectId} */
export class EditPermissionsBody {
  @ArrayMaxSize(LIMITS.peopleInOneInvitation)
  @NestedList(() => PermissionDiff)
  permissionDiffs: PermissionDiff[];
  @Optional()
  @IdField()
  projectId?: string;
}

/** POST /api/projects/{id}/leave, POST /api/projects/{id}/takeOver */
export class ProjectIdBody {
  @Optional()
  @IdField()
  projectId?: string;
}

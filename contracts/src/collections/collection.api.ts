import { ArrayMaxSize, IsArray, IsBoolean, IsString, Matches } from 'class-validator';
import { all, AlsoIgnores, Line, MaxLength, Nested, Optional } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';

const Title = (): PropertyDecorator => all(Line(LIMITS.collectionTitle, 'limit.title'), Matches(/\S/));

const ProjectIds = (): PropertyDecorator =>
  all(Optional(), IsArray(), ArrayMaxSize(LIMITS.idsInOneCall), IsString({ each: true }), MaxLength(64, { each: true }), Matches(/\S/, { each: true }));

@AlsoIgnores('type', 'owner', 'userPermissions')
export class NewCollectionSubmission {
  @Title()
  title: string;
  @ProjectIds()
  projects?: string[];
}

/** POST /api/collections/{uid} */
@AlsoIgnores('type', 'owner', 'userPermissions')
export class NewCollectionBody {
  @Nested(() => NewCollectionSubmission)
  submission: NewCollectionSubmission;
}

/** PUT /api/collections/{uid}/{id}. `projectIds` and `willAdd` only come together. */
export class EditCollectionBody {
  @Optional()
  @Title()
  title?: string;
  @ProjectIds()
  projectIds?: string[];
  /** true adds the projects, false takes them out. */
  @Optional()
  @IsBoolean()
  willAdd?: boolean;
}

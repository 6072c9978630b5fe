import { ArrayMaxSize, IsArray, IsBoolean, IsString, Matches, MaxLength } from 'class-validator';
import { AlsoIgnores, Line, Nested, Optional } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';

const Title = (): PropertyDecorator => (target, property) => {
  for (const rule of [Line(LIMITS.collectionTitle, 'limit.title'), Matches(/\S/)]) rule(target, property);
};

const ProjectIds = (): PropertyDecorator => (target, property) => {
  const rules = [Optional(), IsArray(), ArrayMaxSize(LIMITS.idsInOneCall), IsString({ each: true }), MaxLength(64, { each: true })];
  for (const rule of [...rules, Matches(/\S/, { each: true })]) rule(target, property);
};

@AlsoIgnores('owner', 'userPermissions')
export class NewCollectionSubmission {
  @Title()
  title: string;
  @ProjectIds()
  projects?: string[];
}

/** POST /api/collections/{uid} */
@AlsoIgnores('owner', 'userPermissions')
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

import { AlsoIgnores, IdField, Optional } from './body.js';

/**
 * The removal of a project, or of a version, region, comment or todo, by POST. The spec's clients also send the `type` and `filename` of what they remove.
 */
@AlsoIgnores('type', 'filename')
export class RemovalBody {
  @Optional()
  @IdField()
  projectId?: string;
}

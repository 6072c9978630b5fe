import { IdField } from '../shared/body.js';

/** POST /api/admin/{key}/initializeContent: the person who gets a tutorial project. */
export class InitializeContentBody {
  @IdField()
  uid: string;
}

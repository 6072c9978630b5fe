import { packValue } from '../mongo/mongo-body.js';
import type { CollectionSpec, FindQuery } from './documents.js';

/** The maximum number of results of one search. */
const MOST = 1000;
const USUAL = 100;

type Indexes = CollectionSpec['indexes'];
type Condition = Readonly<Record<string, unknown>>;

/** A search in MongoDB's terms. */
export interface MongoSearch {
  readonly filter: Condition;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/** The path of a body's field in the stored document. */
export const bodyPath = (field: string): string => `body.${field}`;

/** Translates a query for MongoDB. @throws Error when no declared index serves it */
export function mongoSearch(indexes: Indexes, { where, sort, after, limit = USUAL }: FindQuery): MongoSearch {
  if (!['string', 'number', 'boolean'].includes(typeof where.value)) throw new Error(`${where.field} cannot be searched by this value`);
  const index = indexes.find(({ field, sort: by }) => field === where.field && (sort === undefined || by !== undefined));
  if (index === undefined) throw new Error(`${where.field} is not a declared index${sort === undefined ? '' : ' with a sort'}`);
  const by = sort === undefined || index.sort === undefined ? null : bodyPath(index.sort);
  const direction = sort === 'descending' ? -1 : 1;
  return {
    filter: { [bodyPath(where.field)]: { $eq: packValue(where.value) }, ...(after === undefined ? {} : behind(by, direction, after)) },
    sort: by === null ? { _id: direction } : { [by]: direction, _id: direction },
    limit: Math.min(limit, MOST),
  };
}

/** The condition for documents after a place in the order missing, numbers, text. MongoDB compares only within one type, so each has its own condition. */
function behind(by: string | null, direction: 1 | -1, { id, sort = null }: NonNullable<FindQuery['after']>): Condition {
  const past = direction === 1 ? '$gt' : '$lt';
  if (by === null) return { _id: { [past]: id } };
  const kinds = [{ [by]: null }, { [by]: { $gte: -Infinity } }, { [by]: { $gte: '' } }];
  const kind = sort === null ? 0 : typeof sort === 'number' ? 1 : 2;
  const value = packValue(sort);
  return {
    $or: [
      { [by]: value, _id: { [past]: id } },
      ...(sort === null ? [] : [{ [by]: { [past]: value } }]),
      ...(direction === 1 ? kinds.slice(kind + 1) : kinds.slice(0, kind)),
    ],
  };
}

import { packValue } from '../mongo/mongo-body.js';
import type { CollectionSpec, FindQuery } from './documents.js';

/** The most documents that one search gives. */
const MOST = 1000;
const USUAL = 100;

type Indexes = CollectionSpec['indexes'];
type Condition = Readonly<Record<string, unknown>>;

/** What MongoDB is asked for. */
export interface MongoSearch {
  readonly filter: Condition;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/** Where a body's field lies in what is stored. */
export const bodyPath = (field: string): string => `body.${field}`;

/** A search as MongoDB takes it. @throws Error when no declared index serves it */
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

/** What lies behind a place in the order: none, numbers, text. MongoDB compares within one of these kinds only, so each is asked for by itself. */
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

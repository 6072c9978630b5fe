import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import { IsDefined, IsString, Matches, MaxLength, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { ProblemCode } from './problems.js';

/** The metadata key under which nested fields leave their class. */
export const NESTED = 'roughmix:nested';

/** What a validation rule tells the body check beside its message: the code of the refusal, and the limit that was passed. */
export interface RuleContext {
  readonly code: ProblemCode;
  readonly limit?: number;
}

const text = (max: number, code: ProblemCode): PropertyDecorator[] => [IsString(), MaxLength(max, { context: { code, limit: max } satisfies RuleContext })];

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

const oneLine = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/[\r\n\u2028\u2029]+/g, ' ').trim() : value));

/** At least one character that is not white space. */
const notBlank = Matches(/\S/);

/** One line of text: trimmed, line breaks become spaces. Longer than `max` is refused with `code`. */
export const Line = (max: number, code: ProblemCode): PropertyDecorator => all(oneLine, ...text(max, code));
/** Text as typed. Longer than `max` is refused with `code`. */
export const Prose = (max: number, code: ProblemCode): PropertyDecorator => all(...text(max, code));
/** The id of a thing: a string of 1 to 64 characters; whether it exists is another question. */
export const IdField = (): PropertyDecorator => all(IsString(), MaxLength(64), notBlank);
/** May be missing, but not null. */
export const Optional = (): PropertyDecorator => ValidateIf((_body: object, value: unknown) => value !== undefined);
const shapeOf =
  (of: () => new () => object, ...rules: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    Reflect.defineMetadata(NESTED, of, target, property);
    all(IsDefined(), ...rules, ValidateNested(), Type(of))(target, property);
  };

const isOneObject = ValidateBy({
  name: 'isObject',
  validator: { validate: (value: unknown) => typeof value === 'object' && !Array.isArray(value), defaultMessage: () => '$property must be an object' },
});
const isListOfObjects = ValidateBy({
  name: 'isListOfObjects',
  validator: {
    validate: (value: unknown) => Array.isArray(value) && value.every((member) => typeof member === 'object' && member !== null && !Array.isArray(member)),
    defaultMessage: () => '$property must be a list of objects',
  },
});

/** An object of its own class, checked in the same way. */
export const Nested = (of: () => new () => object): PropertyDecorator => shapeOf(of, isOneObject);
/** A list of such objects. */
export const NestedList = (of: () => new () => object): PropertyDecorator => shapeOf(of, isListOfObjects);

/** May be missing; null is a value of its own and means "take it away". */
export const Nullable = (): PropertyDecorator => ValidateIf((_body: object, value: unknown) => value !== null && value !== undefined);

/** Fields that the spec's clients send and the server knows better: accepted and ignored, at the top and inside `submission`. */
export const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'user',
  'uid',
  'uploader',
  'inviterId',
  'postOwnerId',
  'projectOwner',
  'visitorId',
  'preventSocket',
  'notifInfo',
  'shareInfo',
  'dateAdded',
  'dateModified',
  'createdDate',
  'majorValue',
  'minorValue',
  'majorUpdate',
  'minorUpdate',
  'reminderSent',
  'versionUrl',
  'prevUrl',
  'prevVersionUrl',
  'file',
  'project',
  'projectName',
  'newPermissions',
  'associatedRegions',
  'timespan',
  'userReplies',
  'commentId',
  'filename',
  'type',
  'isReply',
  'replyIds',
  'parentCommentId',
  'taggedUsers',
  'edited',
  'likes',
  'negs',
  'initialLogin',
]);

import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import { buildMessage, IsDefined, IsNumber, IsString, Matches, ValidateBy, ValidateIf, ValidateNested, type ValidationOptions } from 'class-validator';
import { LIMITS } from './limits.js';
import type { ProblemCode } from './problems.js';
import { showsNothing, trimmed, withoutControls, withoutDirections } from './visible-text.js';
import { isWellFormed } from './well-formed.js';

/** The metadata key under which nested fields store their class. */
export const NESTED = 'roughmix:nested';

/** What a validation rule adds to its message: the problem code, and the limit that was exceeded. */
export interface RuleContext {
  readonly code: ProblemCode;
  readonly limit?: number;
}

/** At most so many UTF-16 units. class-validator counts a surrogate pair once, so its own rule is not used. */
export const MaxLength = (max: number, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'maxLength',
      constraints: [max],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && value.length <= max,
        defaultMessage: buildMessage((each) => `${each}$property must have at most $constraint1 characters`, options),
      },
    },
    options,
  );

const hasWholeCharacters = ValidateBy({
  name: 'isWellFormed',
  validator: {
    validate: (value: unknown) => typeof value !== 'string' || isWellFormed(value),
    defaultMessage: () => '$property must not contain half a surrogate pair',
  },
});

const text = (max: number, code: ProblemCode): PropertyDecorator[] => [
  IsString(),
  hasWholeCharacters,
  MaxLength(max, { context: { code, limit: max } satisfies RuleContext }),
];

/** Applies several rules to a field, in order. */
export const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

const transformed = (change: (text: string) => string): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value) : value));

/** '' for a text that shows nothing, so that it is empty for every rule. */
const visible = (typed: string): string => (showsNothing(typed) ? '' : typed);
const oneLine = (typed: string): string => trimmed(withoutControls(typed).replace(/\n+/g, ' '));

/** At least one character that is not white space. In a line or a prose text, one that shows. */
export const NotBlank = (): PropertyDecorator => Matches(/\S/);

/** One line of text: trimmed, without control characters; line breaks become spaces. Longer than `max` is refused with `code`. */
export const Line = (max: number, code: ProblemCode): PropertyDecorator => all(transformed(oneLine), ...text(max, code));
/** A text of several lines, without control characters but tabs. Longer than `max` is refused with `code`. */
export const Prose = (max: number, code: ProblemCode): PropertyDecorator =>
  all(
    transformed((typed) => visible(withoutControls(typed))),
    ...text(max, code),
  );
/** A first or last name as typed: control characters in it are refused, not removed. Longer than `max` is refused with `code`. */
export const PersonName = (max: number, code: ProblemCode): PropertyDecorator => all(...text(max, code));
/** A username: trimmed, in NFC; control characters in it are refused, not removed. Longer than `max` is refused with `code`. */
export const Name = (max: number, code: ProblemCode): PropertyDecorator =>
  all(
    transformed((typed) => typed.trim().normalize('NFC')),
    ...text(max, code),
  );
/** The name of an uploaded file, as the user chose it, without what changes the direction of text. */
export const Filename = (): PropertyDecorator =>
  all(
    transformed((typed) => oneLine(withoutDirections(typed))),
    ...text(LIMITS.filename, 'request.invalid'),
    NotBlank(),
  );
/** An id: a string of 1 to 64 characters. Whether it exists is checked elsewhere. */
export const IdField = (): PropertyDecorator => all(IsString(), MaxLength(64), NotBlank());
/** A number; neither NaN nor infinite. */
export const FiniteNumber = (): PropertyDecorator => IsNumber({ allowNaN: false, allowInfinity: false });
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

/** A nested object, validated by its own class. */
export const Nested = (of: () => new () => object): PropertyDecorator => shapeOf(of, isOneObject);
/** A list of such objects. */
export const NestedList = (of: () => new () => object): PropertyDecorator => shapeOf(of, isListOfObjects);

/** May be missing; null means "remove it". */
export const Nullable = (): PropertyDecorator => ValidateIf((_body: object, value: unknown) => value !== null && value !== undefined);

/** Must be sent; null is allowed. */
export const OrNull = (): PropertyDecorator => ValidateIf((_body: object, value: unknown) => value !== null);

/** Fields that the spec's clients send but the server determines itself: accepted and ignored, at the top level and inside `submission`. */
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
  'isReply',
  'replyIds',
  'parentCommentId',
  'taggedUsers',
  'edited',
  'likes',
  'negs',
  'initialLogin',
  'parentTodoId',
  'parentId',
  'parentOwner',
  'projectNames',
  'photoURL',
  'storageUri',
]);

/** The metadata key under which a body class stores what it ignores besides {@link IGNORED_FIELDS}. */
const ALSO_IGNORED = 'roughmix:also-ignored';

/** Fields that this body accepts and ignores, also where {@link IGNORED_FIELDS} do not apply. */
export const AlsoIgnores =
  (...fields: readonly string[]): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(ALSO_IGNORED, fields, target);

/** Whether a body class itself ignores a field that it does not declare. */
export const ignores = (shape: object, field: string): boolean => ((Reflect.getMetadata(ALSO_IGNORED, shape) ?? []) as readonly string[]).includes(field);

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RESOURCE_KINDS } from '@roughmix/contracts/notifications/notification.types.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { PROBLEMS } from '@roughmix/contracts/shared/problems.js';
import { VERSION } from '../version.js';
import { RETURN_MINIMAL } from './prefer.js';
import { AFTER_POSITION, BEHIND, FILE_EXTENSION } from './read-your-writes.js';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const METHODS = ['get', 'put', 'post', 'delete'] as const;
const PATH_PARAMETER = /\{(\w+)\}/g;

const problemSchema: Schemas[string] = {
  type: 'object',
  description: 'RFC 9457, sent as application/problem+json',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string', enum: ['about:blank'] },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: { type: 'string', description: 'a sentence for the user' },
    instance: { type: 'string' },
    limit: { type: 'integer' },
    field: { type: 'string' },
    errors: { type: 'array', items: { type: 'object', properties: { field: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } } } },
  },
};

const commandKey: NonNullable<Operation['parameters']>[number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
  description: "the command's id: a repeated request has no further effect and gets the same response",
};

const afterPosition: NonNullable<Operation['parameters']>[number] = {
  name: AFTER_POSITION,
  in: 'header',
  required: false,
  schema: { type: 'integer', minimum: 0 },
  description: `the answer shows everything up to this position of the log, such as the \`X-Position\` of an earlier command. If that takes over 2 s, it comes as it is with \`${BEHIND}: true\`. A position beyond the log's end is ignored`,
};

const prefer = (omitted: string): NonNullable<Operation['parameters']>[number] => ({
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', example: RETURN_MINIMAL },
  description: `\`return=minimal\` (RFC 7240): omits ${omitted} from the response, which then carries \`Preference-Applied\``,
});

/** Queries with a minimal answer, and the header that requests it. */
const MINIMAL_QUERIES: Readonly<Record<string, NonNullable<Operation['parameters']>>> = {
  '/api/projects/{uid}': [prefer('the id lists (replaced by `commentCount`, `todoCount` and `completedTodoCount`)')],
};

function headersOf(path: string, method: (typeof METHODS)[number], isFile: boolean): NonNullable<Operation['parameters']> {
  if (method === 'get') return path.startsWith('/api/') && !isFile ? [afterPosition, ...(MINIMAL_QUERIES[path] ?? [])] : [];
  return path.startsWith('/api/') ? [commandKey, prefer('`updatedProject`')] : [];
}

/** Adds what Nest does not know about an operation: undeclared path parameters, headers and the problem response. */
function complete(path: string, method: (typeof METHODS)[number], operation: Operation): void {
  const known = operation.parameters ?? [];
  const named = new Set(known.flatMap((parameter) => ('name' in parameter ? [parameter.name] : [])));
  const missing = [...path.matchAll(PATH_PARAMETER)].flatMap(([, name = '']) =>
    named.has(name) ? [] : [{ name, in: 'path', required: true, schema: { type: 'string' } } as const],
  );
  operation.parameters = [...known, ...missing, ...headersOf(path, method, FILE_EXTENSION in operation)];
  operation.responses = {
    ...operation.responses,
    default: { description: 'a refusal', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  };
}

const eitherOf = (...bodies: readonly string[]): Operation['requestBody'] => ({
  required: true,
  content: { 'application/json': { schema: { oneOf: bodies.map((body) => ({ $ref: `#/components/schemas/${body}` })) } } },
});

const mapTo = (values: readonly string[]): Operation['requestBody'] => ({
  required: true,
  content: {
    'application/json': { schema: { type: 'object', maxProperties: LIMITS.idsInOneCall, additionalProperties: { type: 'string', enum: [...values] } } },
  },
});

/** Operations that accept one of two bodies, or a map; their handlers take `unknown`, so Nest finds no class. */
const OTHER_BODIES: readonly (readonly [path: string, method: (typeof METHODS)[number], body: Operation['requestBody']])[] = [
  ['/api/comments', 'post', eitherOf('NewCommentBody', 'NewImageCommentBody')],
  ['/api/comments/{id}', 'put', eitherOf('EditCommentBody', 'CommentImageBody')],
  ['/api/notifications/markAsRead', 'put', mapTo(RESOURCE_KINDS)],
];

/** The catch-all route that answers 401 to a wrong admin key; not documented. */
const ADMIN_CATCH_ALL = '/api/admin/{key}/{path}';

/** The OpenAPI document: routes from Nest, bodies from the classes in contracts. */
export function openApiOf(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Roughmix')
    .setDescription(
      'Every refusal is `application/problem+json` with a stable `code`. Responses to commands carry `X-Position`, the position of their last event in the log.',
    )
    .setVersion(VERSION)
    .addCookieAuth('roughmix_session')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const bodies = validationMetadatasToSchemas({ classTransformerMetadataStorage: defaultMetadataStorage, refPointerPrefix: '#/components/schemas/' });
  Object.assign((document.components ??= {}), { schemas: { ...document.components.schemas, ...bodies, Problem: problemSchema } });
  const { [ADMIN_CATCH_ALL]: _omitted, ...paths } = document.paths;
  for (const [path, method, body] of OTHER_BODIES) Object.assign(paths[path]?.[method] ?? {}, { requestBody: body });
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) if (item[method] !== undefined) complete(path, method, item[method]);
  }
  return { ...document, paths };
}

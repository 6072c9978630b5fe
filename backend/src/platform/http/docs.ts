import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PROBLEMS } from '@roughmix/contracts/shared/problems.js';
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
  description: 'the id of the command: sent again, it acts once and answers the same',
};

/** What Nest cannot know of an operation: every part of its path, the command's key, and how it refuses. */
function complete(path: string, method: (typeof METHODS)[number], operation: Operation): void {
  const known = operation.parameters ?? [];
  const named = new Set(known.flatMap((parameter) => ('name' in parameter ? [parameter.name] : [])));
  const missing = [...path.matchAll(PATH_PARAMETER)].flatMap(([, name = '']) =>
    named.has(name) ? [] : [{ name, in: 'path', required: true, schema: { type: 'string' } } as const],
  );
  operation.parameters = [...known, ...missing, ...(method === 'get' || !path.startsWith('/api/') ? [] : [commandKey])];
  operation.responses = {
    ...operation.responses,
    default: { description: 'refused', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  };
}

/** OpenAPI at `/docs` (page) and `/docs/openapi.json`: the routes as Nest knows them, the bodies as contracts check them. */
export function serveDocs(app: NestFastifyApplication): void {
  const facts = new DocumentBuilder()
    .setTitle('Roughmix')
    .setDescription('Every refusal is `application/problem+json` with a stable `code`. Commands answer `X-Position`, the place of their last event in the log.')
    .setVersion('0.1.0')
    .addCookieAuth('roughmix_session')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, facts);
  const bodies = validationMetadatasToSchemas({ classTransformerMetadataStorage: defaultMetadataStorage, refPointerPrefix: '#/components/schemas/' });
  Object.assign((document.components ??= {}), { schemas: { ...document.components.schemas, ...bodies, Problem: problemSchema } });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) if (item[method] !== undefined) complete(path, method, item[method]);
  }
  SwaggerModule.setup('docs', app, document, { jsonDocumentUrl: 'docs/openapi.json', yamlDocumentUrl: 'docs/openapi.yaml' });
}

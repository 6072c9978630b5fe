import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';

/** OpenAPI at `/docs` (page) and `/docs/openapi.json`: the routes as Nest knows them, the bodies as contracts check them. */
export function serveDocs(app: NestFastifyApplication): void {
  const facts = new DocumentBuilder()
    .setTitle('Roughmix')
    .setDescription('Every refusal is `application/problem+json` with a stable `code`. Commands take an `Idempotency-Key` and answer `X-Position`.')
    .setVersion('0.1.0')
    .addCookieAuth('roughmix_session')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, facts);
  const schemas = validationMetadatasToSchemas({ classTransformerMetadataStorage: defaultMetadataStorage, refPointerPrefix: '#/components/schemas/' });
  Object.assign((document.components ??= {}), { schemas: { ...document.components.schemas, ...schemas } });
  SwaggerModule.setup('docs', app, document, { jsonDocumentUrl: 'docs/openapi.json', yamlDocumentUrl: 'docs/openapi.yaml' });
}

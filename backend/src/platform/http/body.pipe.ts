import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { parseBody } from './body.js';

/** Validates every `@Body()` whose type is a class; other parameters pass unchanged. */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || metatype === undefined || metatype === Object) return value;
    return parseBody(metatype as ClassConstructor<object>, value);
  }
}

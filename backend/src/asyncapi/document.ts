import { VERSION } from '../platform/version.js';
import type { Schema } from './schema.js';

/** The part of AsyncAPI 3.0 that this program uses. */
export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: Schema;
  readonly defaultContentType: string;
  readonly servers: Schema;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, Schema>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Channel {
  readonly address: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Schema>>;
  readonly bindings?: Schema;
}

export interface Message {
  readonly name: string;
  readonly summary: string;
  readonly contentType?: string;
  readonly headers?: Schema;
  readonly payload: Schema;
  readonly bindings?: Schema;
}

export const infoOf = (title: string, description: string): Schema => ({ title, version: VERSION, license: { name: 'MIT' }, description });
export const messageRef = (name: string): Schema => ({ $ref: `#/components/messages/${name}` });
export const channelRef = (name: string): Schema => ({ $ref: `#/channels/${name}` });
/** A message as its channel's operations reference it. */
export const messageOfChannel = (channel: string, name: string): Schema => ({ $ref: `#/channels/${channel}/messages/${name}` });

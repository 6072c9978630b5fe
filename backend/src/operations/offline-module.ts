import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PlatformModule } from '../app.module.js';
import { DoorsModule } from '../doors.module.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import type { Platform } from '../platform/platform.js';
import { WebPushModule } from '../platform/push/web-push.module.js';
import { type LoadedSlice, loadParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';

/** The parts of the program that an operator's command needs: no HTTP, no reactors. */
@Module({})
export class OfflineModule {
  static of(platform: Platform, slices: readonly LoadedSlice[]): DynamicModule {
    return { module: OfflineModule, imports: [PlatformModule.of(platform), AuthModule, WebPushModule, DoorsModule.of(slices), UsersModule] };
  }
}

export const startOffline = async (platform: Platform): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(OfflineModule.of(platform, await loadParts(platform.slices)), { logger: false, abortOnError: false });

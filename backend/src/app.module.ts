import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { DoorsModule } from './doors.module.js';
import { LiveModule } from './live.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { BodyPipe } from './platform/http/body.pipe.js';
import { CommandAnswerInterceptor } from './platform/http/command-answer.js';
import { ReadYourWritesInterceptor } from './platform/http/read-your-writes.js';
import { SerializedAnswerInterceptor } from './platform/http/serialized-answer.js';
import { ProblemFilter } from './platform/http/problem.filter.js';
import { SessionGuard } from './platform/http/session.guard.js';
import { HealthController } from './platform/health/health.controller.js';
import { Readiness } from './platform/health/readiness.js';
import { StoreProbes } from './platform/health/store-probes.js';
import { RoleStatus } from './platform/health/role-status.js';
import { ConnectedUsersModule } from './platform/live/connected-users.module.js';
import { type Platform, platformProviders } from './platform/platform.js';
import { WebPushModule } from './platform/push/web-push.module.js';
import type { LoadedSlice } from './platform/slice.js';
import { ReactingModule } from './reacting.module.js';

/** The platform's parts, for every slice. */
@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform): DynamicModule {
    const providers = platformProviders(platform);
    return { module: PlatformModule, imports: [CqrsModule.forRoot()], providers, exports: [CqrsModule, ...providers] };
  }
}

/** The whole program: the platform and the slices. */
@Module({})
export class AppModule {
  static of(platform: Platform, slices: readonly LoadedSlice[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.of(platform),
        AuthModule,
        WebPushModule,
        ConnectedUsersModule,
        DoorsModule.of(slices),
        ...slices.map(({ module }) => module),
        ReactingModule.of(slices),
        ...(platform.config.ROLES.includes('web') ? [LiveModule.of(slices)] : []),
      ],
      controllers: [HealthController],
      providers: [
        Readiness,
        StoreProbes,
        RoleStatus,
        { provide: APP_GUARD, useClass: SessionGuard },
        { provide: APP_PIPE, useClass: BodyPipe },
        { provide: APP_INTERCEPTOR, useClass: ReadYourWritesInterceptor },
        { provide: APP_INTERCEPTOR, useClass: CommandAnswerInterceptor },
        { provide: APP_INTERCEPTOR, useClass: SerializedAnswerInterceptor },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}

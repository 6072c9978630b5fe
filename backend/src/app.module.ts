import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AdminModule } from './admin/admin.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { DoorsModule } from './doors.module.js';
import { LiveModule } from './live.module.js';
import { MediaModule } from './media/media.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { BodyPipe } from './platform/http/body.pipe.js';
import { CommandAnswerInterceptor } from './platform/http/command-answer.js';
import { ReadYourWritesInterceptor } from './platform/http/read-your-writes.js';
import { ReadyAnswerInterceptor } from './platform/http/ready-answer.js';
import { ProblemFilter } from './platform/http/problem.filter.js';
import { SessionGuard } from './platform/http/session.guard.js';
import { HealthController } from './platform/health/health.controller.js';
import { Readiness } from './platform/health/readiness.js';
import { StoreProbes } from './platform/health/store-probes.js';
import { Works } from './platform/health/works.js';
import { type Platform, platformProviders } from './platform/platform.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ReactingModule } from './reacting.module.js';
import { RegionsModule } from './regions/regions.module.js';
import { UsersModule } from './users/users.module.js';
import { VersionsModule } from './versions/versions.module.js';

/** What was opened at start, for every slice. */
@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform): DynamicModule {
    const providers = platformProviders(platform);
    return { module: PlatformModule, imports: [CqrsModule.forRoot()], providers, exports: [CqrsModule, ...providers] };
  }
}

/** The whole program: the platform, and the list of slices. */
@Module({})
export class AppModule {
  static of(platform: Platform): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.of(platform),
        AuthModule,
        DoorsModule,
        UsersModule,
        AdminModule,
        ProjectsModule,
        VersionsModule,
        RegionsModule,
        CommentsModule,
        MediaModule,
        ReactingModule,
        ...(platform.config.ROLES.includes('web') ? [LiveModule] : []),
      ],
      controllers: [HealthController],
      providers: [
        Readiness,
        StoreProbes,
        Works,
        { provide: APP_GUARD, useClass: SessionGuard },
        { provide: APP_PIPE, useClass: BodyPipe },
        { provide: APP_INTERCEPTOR, useClass: ReadYourWritesInterceptor },
        { provide: APP_INTERCEPTOR, useClass: CommandAnswerInterceptor },
        { provide: APP_INTERCEPTOR, useClass: ReadyAnswerInterceptor },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}

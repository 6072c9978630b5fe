import { Module } from '@nestjs/common';
import { VersionsPushes } from './versions.pushes.js';

@Module({ providers: [VersionsPushes], exports: [VersionsPushes] })
export class VersionsModule {}

import { Module } from '@nestjs/common';
import { RegionsController } from './regions.controller.js';
import { regionHandlers } from './regions.handlers.js';
import { RegionsPushes } from './regions.pushes.js';

@Module({ controllers: [RegionsController], providers: [RegionsPushes, ...regionHandlers], exports: [RegionsPushes] })
export class RegionsModule {}

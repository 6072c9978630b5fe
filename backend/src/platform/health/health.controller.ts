import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.js';
import { Public } from '../http/caller.js';
import { CONFIG } from '../tokens.js';
import { Readiness, type ReadinessReport } from './readiness.js';

/** For those who watch over the process. */
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    @Inject(CONFIG) private readonly config: Pick<Config, 'METRICS_PORT'>,
  ) {}

  /** The process answers. */
  @Get('live')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the stores can be written and the read models have caught up since the start, else 503. Details are told on METRICS_PORT alone, when it is set. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport | Pick<ReadinessReport, 'status'>> {
    const report = await this.readiness.report();
    void reply.status(report.status === 'ready' ? 200 : 503).header('Cache-Control', 'no-store');
    return this.config.METRICS_PORT === null ? report : { status: report.status };
  }
}

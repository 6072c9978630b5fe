import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiQuery } from '@nestjs/swagger';
import { mayExportMarkers } from '@roughmix/contracts/markers/marker.access.js';
import { isMarkerFormat, MARKER_FORMATS } from '@roughmix/contracts/markers/marker.formats.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { attachment, inline } from '../platform/http/attachment.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { ProjectPageQueries } from '../projects/project-page.queries.js';
import { BOM, MARKER_FILES, markerFileName } from './marker-files.js';
import { PRINT_POLICY } from './print-page.js';
import { versionMarkers } from './version-markers.js';

/** The query of an export. */
interface ExportQuery {
  readonly versionId?: unknown;
  readonly format?: unknown;
  /** 'false': the table starts without a byte order mark, which tells spreadsheets that it is UTF-8. */
  readonly bom?: unknown;
  /** 'true': the page to print is shown instead of saved. */
  readonly inline?: unknown;
}

/** A version's markers as a file for other programs. */
@Controller('api/projects/:projectId/markers')
export class MarkersController {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly pages: ProjectPageQueries,
  ) {}

  @Get()
  @ApiQuery({ name: 'versionId', type: String })
  @ApiQuery({ name: 'format', enum: MARKER_FORMATS })
  @ApiQuery({ name: 'bom', required: false, enum: ['false'] })
  @ApiQuery({ name: 'inline', required: false, enum: ['true'] })
  @ApiProduces(...new Set(Object.values(MARKER_FILES).map(({ contentType }) => contentType.replace(/;.*/, ''))))
  async export(
    @CurrentCaller() { uid }: Caller,
    @Param('projectId') projectId: Id,
    @Query() { versionId, format, bom, inline: shown }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (typeof versionId !== 'string') throw new Refused('request.invalid', { field: 'versionId' });
    if (!isMarkerFormat(format)) throw new Refused('request.invalid', { field: 'format' });
    const { who } = await this.access.require(projectId, uid);
    if (!mayExportMarkers(who)) throw new Refused('project.not-allowed');
    const { data } = await this.pages.page(projectId, uid);
    const version = data.versions.find(({ _id }) => _id === versionId);
    if (version === undefined) throw new Refused('version.not-found');
    const printed = { projectName: data.project.projectName, number: versionNumber(version), tinySummary: toTyped(version.tinySummary) };
    const { contentType, hasBom = false, write } = MARKER_FILES[format];
    const name = markerFileName(printed, format);
    const isShown = format === 'print' && shown === 'true';
    void reply.headers({ 'Content-Type': contentType, 'Content-Disposition': isShown ? inline(name) : attachment(name) });
    // Without the second header, Chromium warns that a sandboxed page has no origin to key its agent cluster by.
    if (format === 'print') void reply.headers({ 'Content-Security-Policy': `${PRINT_POLICY}; frame-ancestors 'none'; sandbox`, 'Origin-Agent-Cluster': '?0' });
    return `${hasBom && bom !== 'false' ? BOM : ''}${write(versionMarkers(data, versionId), printed)}`;
  }
}

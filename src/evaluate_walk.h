#pragma once

#include "evaluate_nearest.h"
#include "lr_host.h"

/* All test samples, a block at a time: result and shares as lr_nearest_along()
 * has them, mass: classes x counts. */
void nearest_along(const lr_nearest_task *task, run_control control,
                   double *result, double *shares, double *mass);

#!/bin/bash
# Runs a campaign as a Slurm job array, a shard each task:
#
#   sbatch --array=1-64 slurm.sh CAMPAIGN.toml RESULTS [OPTION OF tensorsmith campaign...]
#
# The same line again runs what is missing. Some tasks alone:
#
#   TENSORSMITH_SHARDS=64 sbatch --array=3,7 slurm.sh CAMPAIGN.toml RESULTS
#
# The program is tensorsmith on PATH, or what the variable TENSORSMITH names.
#SBATCH --job-name=tensorsmith
#SBATCH --requeue
set -euo pipefail

# Every shard is a task, unless the variable says how many there are.
whole() { [[ ${SLURM_ARRAY_TASK_MIN:-} == 1 && ${SLURM_ARRAY_TASK_COUNT:-} == "${SLURM_ARRAY_TASK_MAX:-}" ]]; }

if [[ $# -lt 2 || -z ${SLURM_ARRAY_TASK_ID:-} ]] || { [[ -z ${TENSORSMITH_SHARDS:-} ]] && ! whole; }; then
    echo "usage: [TENSORSMITH_SHARDS=SHARDS] sbatch --array=1-SHARDS slurm.sh CAMPAIGN.toml RESULTS [OPTION...]" >&2
    exit 2
fi
shards=${TENSORSMITH_SHARDS:-$SLURM_ARRAY_TASK_MAX}
exec "${TENSORSMITH:-tensorsmith}" campaign "$1" --out "$2" --shard "$SLURM_ARRAY_TASK_ID/$shards" \
    --jobs "${SLURM_CPUS_ON_NODE:-1}" "${@:3}"

! SPDX-License-Identifier: BSL-1.0
!
! What programs call by the names of `mpi_f08`, which Open MPI has pass by C's. Of two ranks or more.
program in_fortran_f08
  use mpi_f08
  implicit none
  integer :: rank, ranks, i, wrong
  integer, allocatable :: counts(:), places(:), all(:)
  double precision :: sums(3)
  wrong = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  sums = [1d0, 2d0, 3d0] * (rank + 1)
  call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (any(sums /= [1d0, 2d0, 3d0] * (ranks * (ranks + 1) / 2))) wrong = wrong + 1
  allocate(counts(ranks), places(ranks), all(ranks))
  counts = 1
  places = [(i - 1, i = 1, ranks)]
  all = -1
  call MPI_Gatherv([rank], 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Bcast(all, ranks, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (any(all /= places)) wrong = wrong + 1
  call MPI_Alltoall([(rank, i = 1, ranks)], 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (any(all /= places)) wrong = wrong + 1
  call MPI_Barrier(MPI_COMM_WORLD)
  if (wrong /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize()
end program in_fortran_f08

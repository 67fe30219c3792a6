! SPDX-License-Identifier: BSL-1.0
!
! What Fortran programs call by names of their own, with constants of their own. Of two ranks or more; with the argument
! `threads` it begins by MPI_Init_thread.
! Operations of the user's: the sum, and the operand of the lowest rank, which does not commute.
subroutine add_up(in, inout, count, kind)
  integer :: count, kind
  double precision :: in(count), inout(count)
  inout = in + inout
end subroutine add_up
subroutine take_left(in, inout, count, kind)
  integer :: count, kind
  double precision :: in(count), inout(count)
  inout = in
end subroutine take_left

program in_fortran
  use mpi
  implicit none
  external :: add_up, take_left
  integer :: own
  logical :: yes, all_say_yes
  character(len=8) :: how
  integer :: level, there, scattered(3)
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
  integer, allocatable :: from(:)
  integer :: rank, ranks, error, i, wrong, again
  integer, allocatable :: counts(:), places(:), all(:)
  double precision :: sums(3), mine(3)
  wrong = 0
  call get_command_argument(1, how)
  if (how == 'threads') then
    level = -1
    call MPI_Init_thread(MPI_THREAD_SINGLE, level, error)
    if (level < MPI_THREAD_SINGLE .or. level > MPI_THREAD_MULTIPLE) wrong = wrong + 1
  else
    call MPI_Init(error)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  sums = [1d0, 2d0, 3d0] * (rank + 1)
  call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(sums /= [1d0, 2d0, 3d0] * (ranks * (ranks + 1) / 2))) wrong = wrong + 1
  mine = rank
  call MPI_Allreduce(mine, sums, 3, MPI_REAL8, MPI_MAX, MPI_COMM_WORLD, error)
  if (any(sums /= ranks - 1)) wrong = wrong + 1
  call MPI_Op_create(add_up, .true., own, error)
  call MPI_Allreduce(mine, sums, 3, MPI_REAL8, own, MPI_COMM_WORLD, error)
  if (any(sums /= ranks * (ranks - 1) / 2)) wrong = wrong + 1
  call MPI_Op_free(own, error)
  call MPI_Op_create(take_left, .false., own, error)
  call MPI_Allreduce(mine, sums, 3, MPI_REAL8, own, MPI_COMM_WORLD, error)
  if (any(sums /= 0)) wrong = wrong + 1
  call MPI_Op_free(own, error)
  yes = rank /= 1
  call MPI_Allreduce(yes, all_say_yes, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
  if (all_say_yes) wrong = wrong + 1
  allocate(counts(ranks), places(ranks), all(ranks * (ranks + 1) / 2))
  counts = [(i, i = 1, ranks)]
  places = [(i * (i - 1) / 2, i = 1, ranks)]
  all = -1
  all(places(rank + 1) + 1 : places(rank + 1) + rank + 1) = rank
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
  do i = 1, ranks
    if (any(all(places(i) + 1 : places(i) + i) /= i - 1)) wrong = wrong + 1
  end do
  if (rank == ranks - 1) then
    counts = -1
    counts(ranks) = rank
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, counts, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
    if (any(counts /= [(i, i = 0, ranks - 1)])) wrong = wrong + 1
    call MPI_Scatter(counts, 1, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ranks - 1, MPI_COMM_WORLD, error)
  else
    call MPI_Gather(rank, 1, MPI_INTEGER, counts, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
    call MPI_Scatter(counts, 1, MPI_INTEGER, i, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
    if (i /= rank) wrong = wrong + 1
  end if
  counts = [(i, i = 1, ranks)]
  if (rank == 0) then
    all = -1
    all(1) = 0
    call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  else
    call MPI_Gatherv([(rank, i = 0, rank)], rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end if
  if (rank == 0) then
    do i = 1, ranks
      if (any(all(places(i) + 1 : places(i) + i) /= i - 1)) wrong = wrong + 1
    end do
    call MPI_Scatterv(all, counts, places, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, error)
  else
    all = -1
    call MPI_Scatterv(all, counts, places, MPI_INTEGER, all, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    if (any(all(1 : rank + 1) /= rank)) wrong = wrong + 1
  end if
  deallocate(all)
  allocate(all(2 * ranks))
  all = rank
  call MPI_Alltoallv(all, [(1, i = 1, ranks)], [(ranks - i, i = 1, ranks)], MPI_INTEGER, all(ranks + 1), [(1, i = 1, ranks)], &
                     [(i - 1, i = 1, ranks)], MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all(ranks + 1 :) /= [(i, i = 0, ranks - 1)])) wrong = wrong + 1
  ! Each of the calls that fold, and in place: element i of rank r is i + r.
  deallocate(all)
  allocate(all(ranks), from(ranks))
  from = [(i + rank, i = 1, ranks)]
  all = -1
  call MPI_Reduce(from, all, ranks, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, error)
  if (rank == 1 .and. any(all /= [(ranks * i + ranks * (ranks - 1) / 2, i = 1, ranks)])) wrong = wrong + 1
  if (rank /= 1 .and. any(all /= -1)) wrong = wrong + 1
  if (rank == 0) then
    all = from
    call MPI_Reduce(MPI_IN_PLACE, all, ranks, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
    if (any(all /= [(i + ranks - 1, i = 1, ranks)])) wrong = wrong + 1
  else
    call MPI_Reduce(from, all, ranks, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
  end if
  call MPI_Scan(from, all, ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(all /= [((rank + 1) * i + rank * (rank + 1) / 2, i = 1, ranks)])) wrong = wrong + 1
  all = from
  call MPI_Scan(MPI_IN_PLACE, all, ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(all /= [((rank + 1) * i + rank * (rank + 1) / 2, i = 1, ranks)])) wrong = wrong + 1
  call MPI_Exscan(from, all, ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank > 0 .and. any(all /= [(rank * i + rank * (rank - 1) / 2, i = 1, ranks)])) wrong = wrong + 1
  all = from
  call MPI_Exscan(MPI_IN_PLACE, all, ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank > 0 .and. any(all /= [(rank * i + rank * (rank - 1) / 2, i = 1, ranks)])) wrong = wrong + 1
  counts = 1
  call MPI_Reduce_scatter(from, i, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (i /= ranks * (rank + 1) + ranks * (ranks - 1) / 2) wrong = wrong + 1
  all = from
  call MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (all(1) /= ranks * (rank + 1) + ranks * (ranks - 1) / 2) wrong = wrong + 1
  call MPI_Reduce_scatter_block(from, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (i /= ranks * (rank + 1) + ranks * (ranks - 1) / 2) wrong = wrong + 1
  all = from
  call MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (all(1) /= ranks * (rank + 1) + ranks * (ranks - 1) / 2) wrong = wrong + 1
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(i, i = 0, ranks - 1)])) wrong = wrong + 1
  all = -1
  all(rank + 1) = 2 * rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(2 * i, i = 0, ranks - 1)])) wrong = wrong + 1
  call MPI_Alltoall(from, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(rank + 1 + i, i = 0, ranks - 1)])) wrong = wrong + 1
  all = from
  call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(all /= [(rank + 1 + i, i = 0, ranks - 1)])) wrong = wrong + 1
  deallocate(all)
  allocate(all(2 * ranks))
  all = rank
  ! What a type has the address of is at MPI_BOTTOM.
  scattered = rank
  call MPI_Get_address(scattered, address(1), error)
  call MPI_Type_create_hindexed(1, [3], address, MPI_INTEGER, there, error)
  call MPI_Type_commit(there, error)
  call MPI_Bcast(MPI_BOTTOM, 1, there, 1, MPI_COMM_WORLD, error)
  if (any(scattered /= 1)) wrong = wrong + 1
  scattered = rank
  if (rank == 0) then
    deallocate(all)
    allocate(all(3 * ranks))
    call MPI_Gather(MPI_BOTTOM, 1, there, all, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    if (any(all /= [((i / 3), i = 0, 3 * ranks - 1)])) wrong = wrong + 1
  else
    call MPI_Gather(MPI_BOTTOM, 1, there, all, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end if
  call MPI_Type_free(there, error)
  all = rank
  call MPI_Bcast(all, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  do i = 1, 10
    call MPI_Comm_dup(MPI_COMM_WORLD, again, error)
    call MPI_Allreduce(mine, sums, 3, MPI_REAL8, MPI_SUM, again, error)
    if (any(sums /= ranks * (ranks - 1) / 2)) wrong = wrong + 1
    if (mod(i, 2) == 0) then
      call MPI_Comm_free(again, error)
      if (again /= MPI_COMM_NULL) wrong = wrong + 1
    else
      call MPI_Comm_disconnect(again, error) ! after which MPICH 4.0 leaves the handle as it was
    end if
    if (error /= MPI_SUCCESS) wrong = wrong + 1
  end do
  if (wrong /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(error)
end program in_fortran
